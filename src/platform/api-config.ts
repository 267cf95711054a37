/** Settings of the HTTP server from the environment. */
import { Effect } from "effect"
import { integerOr, oneOf, optionalText, SettingError } from "./environment.ts"
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
