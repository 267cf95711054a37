import { ConfigProvider, Effect } from "effect"
import { expect, it } from "vitest"
import { askerOf } from "../../engine/trade/meta/ask-provider.ts"
import { fallbacksOf } from "../../engine/trade/meta/fallbacks.ts"
import { eachProvider, PROVIDERS } from "../../engine/trade/meta/providers/all.ts"
import { allChains } from "../domain/chains/registry.ts"
import { withDevchainFacts } from "./devchain-facts.ts"
import { readAccess, readFallbacks } from "./meta-setting.ts"

type Environment = { readonly [name: string]: string }

const within = <A, E>(program: Effect.Effect<A, E>, env: Environment) =>
  Effect.provideService(
    program,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({ env: { ...env } })
  )

const problemOf = async (env: Environment) => {
  const both = Effect.andThen(readAccess, readFallbacks(8453))
  return (await Effect.runPromise(Effect.flip(within(both, env)))).message
}

const ROUTER = `0x${"e1".repeat(20)}`
const SPENDER = `0x${"e2".repeat(20)}`

/** The providers of a chain and why some are not asked. */
const listed = async (chainId: number, env: Environment, isSimulated = false) => {
  const { access, fallbacks } = await Effect.runPromise(
    within(Effect.all({ access: readAccess, fallbacks: readFallbacks(chainId) }), env)
  )
  const configured = eachProvider(id => ({
    ask: askerOf(PROVIDERS[id], access[id]),
    hasKey: access[id].key !== null
  }))
  const chain = allChains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new Error(`no chain ${chainId}`)
  const facts = isSimulated ? withDevchainFacts(chain) : chain
  return fallbacksOf(facts, fallbacks, configured).map(({ id, idle, allowed }) => [
    id,
    idle?.reason ?? allowed?.router
  ])
}

it.each<readonly [Environment, string]>([
  [
    { META_URL_LIFI: "ftp://secret@x" },
    "META_URL_LIFI: it must be a URL that begins with http:// or https://"
  ],
  [
    { META_PROVIDERS_8453: "lifi,uniswap" },
    "META_PROVIDERS_8453: it must be none, or some of kyberswap, lifi, openocean, zeroex, separated by commas"
  ],
  [
    { META_ROUTER_LIFI_8453: "0x12" },
    "META_ROUTER_LIFI_8453: it must be the address of a contract, or two: what is called, what is approved"
  ]
])("refuses %j", async (env, message) => {
  expect(await problemOf(env)).toBe(message)
})

it("asks three on each chain, and one that wants a key only with one", async () => {
  const kyber = "0x6131b5fae19ea4f9d964eac0408e4408b66337b5"
  const zeroex = "0x0000000000001ff3684f28c67538d4d072c22734"
  const openocean = "0x6352a56caadc4f1e25cd6c75970fa768a3304e64"
  const lifi = "0x1231deb6f5749ef6ce6943a275a1d3e7486f4eae"
  expect(await listed(8453, {})).toEqual([
    ...[
      ["kyberswap", kyber],
      ["openocean", openocean],
      ["lifi", lifi]
    ]
  ])
  expect(await listed(1, {})).toEqual([
    ...[
      ["kyberswap", kyber],
      ["openocean", openocean],
      ["lifi", lifi]
    ]
  ])
  expect(await listed(1, { META_KEY_ZEROEX: "k" })).toEqual([
    ...[
      ["kyberswap", kyber],
      ["openocean", openocean],
      ["zeroex", zeroex]
    ]
  ])
  // of Arc too few sources tell its contract
  expect((await listed(5042, {}))[2]).toEqual(["openocean", "no-known-router"])
  expect(await listed(8453, { META_PROVIDERS_8453: "zeroex,lifi" })).toEqual([
    ...[
      ["zeroex", "no-key"],
      ["lifi", lifi]
    ]
  ])
  expect(await listed(8453, { META_PROVIDERS_8453: "none" })).toEqual([])
})

it("asks nobody about a simulated chain unless it is told to", async () => {
  expect(await listed(8453, {}, true)).toEqual([
    ...[
      ["kyberswap", "simulated-chain"],
      ["openocean", "simulated-chain"]
    ],
    ["lifi", "simulated-chain"]
  ])
  const told = { META_PROVIDERS_8453: "openocean", META_ROUTER_OPENOCEAN_8453: ROUTER }
  expect(await listed(8453, told, true)).toEqual([["openocean", ROUTER]])
})

it("takes other addresses, keys and contracts", async () => {
  const env = {
    ...{ META_URL_LIFI: "http://127.0.0.1:9/v1/", META_KEY_LIFI: "secret" },
    ...{ META_ROUTER_LIFI_8453: `${ROUTER}, ${SPENDER.toUpperCase().replace("X", "x")}` }
  }
  const told = Effect.all({ access: readAccess, fallbacks: readFallbacks(8453) })
  expect(await Effect.runPromise(within(told, env))).toMatchObject({
    access: { lifi: { baseUrl: "http://127.0.0.1:9/v1", key: "secret" } },
    fallbacks: { providers: null, routers: { lifi: { router: ROUTER, spender: SPENDER } } }
  })
})
