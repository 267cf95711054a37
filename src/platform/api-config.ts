/** Settings of the HTTP server from the environment. */
import { type Config, Effect } from "effect"
import { integerOr, oneOf, optionalText, SettingError, textOr } from "./environment.ts"
import { liesIn, type Network, parseNetwork } from "./network-address.ts"

const onOff = (name: string, fallback: "on" | "off") =>
  Effect.map(oneOf(name, ["on", "off"], fallback), word => word === "on")

/**
 * `RATE_LIMIT` (on): requests over the limit are refused. `RATE_LIMIT_LOOPBACK` (off): also those
 * from this machine, all of which count as one; of a trusted proxy its clients count instead.
 */
export const rateLimitConfig = Effect.all({
  enforced: onOff("RATE_LIMIT", "on"),
  loopbackEnforced: onOff("RATE_LIMIT_LOOPBACK", "off")
})

/** `HOLDER_PINS` (64): tokens a chain may have pinned for requests to pin one more. */
export const holderPinsConfig = integerOr("HOLDER_PINS", 64)

/** Pins an hour and chain for requests, where not all of them come from this machine. */
export const PINS_AN_HOUR = 2

/**
 * `HOLDER_PINS_PER_HOUR`: tokens of a chain that requests may have pinned within an hour. Unset: 2,
 * and no limit (null) where the server listens on a loopback address, which others do not reach.
 */
export const holderPinsPerHourConfig = (host: string) =>
  Effect.map(textOr("HOLDER_PINS_PER_HOUR", ""), text => text !== "").pipe(
    Effect.flatMap(
      (isSet): Effect.Effect<number | null, Config.ConfigError | SettingError> =>
        isSet || !isLoopbackHost(host)
          ? integerOr("HOLDER_PINS_PER_HOUR", PINS_AN_HOUR)
          : Effect.succeed(null)
    )
  )

/** Whether an address to listen on is one that only this machine reaches. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host)

/** `LIVE_PER_ADDRESS` (50): live sockets that one address may have open. */
export const socketsPerAddressConfig = integerOr("LIVE_PER_ADDRESS", 50, 1)

/** Which proxies are believed, and where they write whose request it is. */
export interface ProxyTrust {
  readonly header: "x-forwarded-for" | "forwarded"
  /** whether the one at this address, so many hops from us, is believed; 16 bytes */
  readonly trusts: (address: Uint8Array, depth: number) => boolean
}

const MOST_HOPS = 16

const trustIn = (text: string): ProxyTrust["trusts"] | null => {
  if (/^[0-9]+$/.test(text)) {
    const hops = Number(text)
    return hops <= MOST_HOPS ? (_, depth) => depth < hops : null
  }
  const networks = text.split(",").map(part => parseNetwork(part.trim()))
  const known = networks.filter((network): network is Network => network !== null)
  if (known.length < networks.length) return null
  return address => known.some(network => liesIn(address, network))
}

/**
 * `TRUSTED_PROXIES` (none): how many proxies stand before us, or their addresses and networks;
 * `TRUSTED_PROXY_HEADER` (x-forwarded-for): the header in which the nearest adds its client last.
 * Null where no proxy is believed.
 */
export const proxyTrustConfig = Effect.gen(function* () {
  const header = yield* oneOf("TRUSTED_PROXY_HEADER", ["x-forwarded-for", "forwarded"])
  const text = yield* optionalText("TRUSTED_PROXIES")
  if (text === null || text === "0") return null
  const trusts = trustIn(text)
  if (trusts !== null) return { header, trusts } satisfies ProxyTrust
  const message =
    `TRUSTED_PROXIES=${text}: it must be the number of proxies before this server, at most ` +
    `${MOST_HOPS}, or their addresses and networks, such as 127.0.0.1,10.0.0.0/8`
  return yield* new SettingError({ message })
})
