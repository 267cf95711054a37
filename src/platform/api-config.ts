/** Reads the HTTP server's settings from the environment. */
import { type Config, Effect } from "effect"
import {
  integerOr,
  oneOf,
  optionalList,
  optionalText,
  SettingError,
  textOr
} from "./environment.ts"
import { liesIn, type Network, parseNetwork } from "./network-address.ts"

const onOff = (name: string, fallback: "on" | "off") =>
  Effect.map(oneOf(name, ["on", "off"], fallback), word => word === "on")

/**
 * `RATE_LIMIT` (default on) refuses requests over the limit. `RATE_LIMIT_LOOPBACK` (default off)
 * also limits requests from this machine, which all count as one client. Requests through a
 * trusted proxy count for the proxy's client.
 */
export const rateLimitConfig = Effect.all({
  enforced: onOff("RATE_LIMIT", "on"),
  loopbackEnforced: onOff("RATE_LIMIT_LOOPBACK", "off")
})

/** `HOLDER_PINS` (default 64): a request pins a token only where its chain has fewer pins. */
export const holderPinsConfig = integerOr("HOLDER_PINS", 64)

/** Default of `HOLDER_PINS_PER_HOUR` where other machines reach the server: pins per chain. */
export const PINS_AN_HOUR = 2

/**
 * `HOLDER_PINS_PER_HOUR`: tokens of one chain that requests may pin within an hour. Where unset,
 * the limit is 2, or null (none) where the server listens on a loopback address, which other
 * machines do not reach.
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

/** Returns true for a listen address that only this machine reaches. */
export const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "::1" || host === "[::1]" || /^127(\.\d+){3}$/.test(host)

/** `LIVE_PER_ADDRESS` (default 50): live sockets that one client address may have open. */
export const socketsPerAddressConfig = integerOr("LIVE_PER_ADDRESS", 50, 1)

/** `LIVE_CONNECTIONS` (default 500): live sockets that may be open, and as many streams. */
export const liveConnectionsConfig = integerOr("LIVE_CONNECTIONS", 500, 1)

/** `MCP_ORIGINS` (default none): origins of web pages that may speak MCP with this server. */
export const mcpOriginsConfig = Effect.map(textOr("MCP_ORIGINS", ""), text =>
  text.split(",").flatMap(part => (part.trim() === "" ? [] : [part.trim().toLowerCase()]))
)

/**
 * `PRIVATE_CHAINS` (default none): chains, by key or id, of which callers without an API key are
 * told no data.
 */
export const privateChainsConfig = Effect.map(
  optionalList("PRIVATE_CHAINS"),
  chains => chains ?? []
)

/** Names the header in which proxies write the client's address, and which proxies to believe. */
export interface ProxyTrust {
  readonly header: "x-forwarded-for" | "forwarded"
  /** returns true for a proxy to believe: its address (16 bytes), its hops from here (0 nearest) */
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
 * `TRUSTED_PROXIES` (default none) is the number of proxies before this server, or a list of their
 * addresses and networks. `TRUSTED_PROXY_HEADER` (default x-forwarded-for) names the header to
 * which the nearest proxy appends its client. Returns null where no proxy is believed.
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
