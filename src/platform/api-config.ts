/** Settings of the HTTP server from the environment. */
import { Effect } from "effect"
import { integerOr, oneOf } from "./environment.ts"

const onOff = (name: string, fallback: "on" | "off") =>
  Effect.map(oneOf(name, ["on", "off"], fallback), word => word === "on")

/**
 * `RATE_LIMIT` (on): requests over the limit are refused. `RATE_LIMIT_LOOPBACK` (off): also those
 * from this machine; turn it on behind a local proxy only together with a limit in the proxy, for
 * all of its callers count as one.
 */
export const rateLimitConfig = Effect.all({
  enforced: onOff("RATE_LIMIT", "on"),
  loopbackEnforced: onOff("RATE_LIMIT_LOOPBACK", "off")
})

/** `HOLDER_PINS` (64): tokens a chain may have pinned for requests to pin one more. */
export const holderPinsConfig = integerOr("HOLDER_PINS", 64)

/** `LIVE_PER_ADDRESS` (50): live sockets that one address may have open. */
export const socketsPerAddressConfig = integerOr("LIVE_PER_ADDRESS", 50, 1)
