/** What the factories of each kind say of pools that name them. */
import { Effect } from "effect"
import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from "viem"
import { afterEach, expect, it } from "vitest"
import type { Address } from "../../../src/domain/address.ts"
import type { ChainVenue } from "../../../src/domain/chain.ts"
import { openRpc, rpcDefaults } from "../../../src/platform/rpc.ts"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { rpcChain } from "../../../test/support/rpc-source.ts"
import type { PoolFact } from "../../facts.ts"
import { StatusBoard } from "../../status-board.ts"
import { Endpoints } from "./endpoints.ts"
import { foreignPools } from "./foreign-pools.ts"

const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const [POOL, OTHER, FACTORY, NOBODY] = ["71", "72", "5f", "00"].map(address) as [Hex, Hex, Hex, Hex]
const [COIN_A, COIN_B] = [address("a1"), address("b2")]
const THIRTY_TWO = `0x${"20".padStart(40, "0")}` as const

/** Answers of the factory by call: each to whatever arguments. */
type Answers = ReadonlyArray<readonly [call: string, types: string, values: ReadonlyArray<unknown>]>

let node: FakeRpc | undefined
afterEach(() => node?.close())

/** Whether a pool of the kind that names the factory is none of its own. */
const isForeign = async (
  kind: string,
  answers: Answers,
  more: Partial<PoolFact> = {},
  feeTiers: ChainVenue["feeTiers"] = [{ fee: 500, tickSpacing: 10 }]
) => {
  const chain = new FakeChain()
  const contract = answers.map(([call, types, values]) => [
    toFunctionSelector(call),
    encodeAbiParameters(parseAbiParameters(types), values as never)
  ])
  chain.contracts.set(FACTORY, Object.fromEntries(contract))
  node = await startFakeRpc(chain, "factories")
  const { url } = node
  const fact: PoolFact = {
    ...{ pool: POOL, venueKind: kind, factory: FACTORY, tokens: [COIN_A, COIN_B] },
    ...{ fee: null, tickSpacing: null, source: "call", ...more }
  }
  const venues = [{ id: "asked_v1", kind, factory: FACTORY as Address, feeTiers }]
  const found = await Effect.gen(function* () {
    const endpoint = yield* openRpc(url, rpcDefaults)
    const endpoints = new Endpoints([endpoint], rpcChain.id, new StatusBoard("evm-rpc", ""))
    return yield* foreignPools({ ...rpcChain, venues }, endpoints, [fact], 0)
  }).pipe(Effect.scoped, Effect.runPromise)
  return found.has(POOL)
}

const poolByPair = (pool: Hex) => ["poolByPair(address,address)", "address", [pool]] as const
const customPool = ["customPoolByPair(address,address,address)", "address", [NOBODY]] as const
const information = (step: number, pair: Hex) =>
  [
    "getLBPairInformation(address,address,uint256)",
    "uint16, address, bool, bool",
    [step, pair, true, false]
  ] as const
const isFactoryPool = (answer: boolean) => ["isFactoryPool(address)", "bool", [answer]] as const
const getPool = (pool: Hex) => ["getPool(address,address,uint24)", "address", [pool]] as const
const coins = (types: string, ...values: ReadonlyArray<unknown>) =>
  ["get_coins(address)", types, values] as const
const binStep = { parameters: [{ name: "binStep", index: null, value: 25n }] }

/** Kind, whether the pool is foreign, what the factory answers, more of the pool's facts. */
const cases: ReadonlyArray<readonly [string, boolean, Answers, Partial<PoolFact>?]> = [
  ["algebra", false, [poolByPair(POOL)]],
  ["algebra", true, [poolByPair(OTHER)]],
  ["algebra", true, [poolByPair(NOBODY)]],
  // it makes pools for deployers too, which nobody can look up
  ["algebra", false, [poolByPair(OTHER), customPool]],
  ["liquidity-book", false, [information(25, POOL)], binStep],
  ["liquidity-book", true, [information(25, OTHER)], binStep],
  ["liquidity-book", true, [information(0, NOBODY)], binStep],
  ["liquidity-book", true, [information(25, OTHER)]],
  ["maverick-v2", false, [isFactoryPool(true)]],
  ["maverick-v2", true, [isFactoryPool(false)]],
  ["curve-stable", false, [coins("address[4]", [COIN_A, COIN_B, NOBODY, NOBODY])]],
  ["curve-stable", true, [coins("address[4]", [NOBODY, NOBODY, NOBODY, NOBODY])]],
  ["curve-stable", false, [coins("address[]", [COIN_A, COIN_B])]],
  ["curve-stable", true, [coins("address[]", [])]],
  // where the answer begins is a word of it too: 32
  ["curve-stable", true, [coins("address[]", [])], { tokens: [THIRTY_TWO, COIN_B] }],
  ["curve-crypto", false, [coins("address[2]", [COIN_A, COIN_B])]],
  ["curve-crypto", true, [coins("address[2]", [NOBODY, NOBODY])]],
  ["uniswap-v3", false, [getPool(POOL)], { fee: 500 }],
  ["uniswap-v3", true, [getPool(OTHER)], { fee: 500 }],
  // every pool of the kind tells its fee, tick spacing, curve
  ["uniswap-v3", true, [getPool(OTHER)]],
  ["solidly-cl", true, []],
  ["solidly", true, []],
  // silence denies nothing
  ["maverick-v2", false, []],
  ["curve-stable", false, []]
]

it.each(cases.map((one, i) => [i, ...one] as const))("case %i: %s, %s", async (_, ...one) => {
  const [kind, expected, answers, more] = one
  expect(await isForeign(kind, answers, more)).toBe(expected)
})

const getPoolBySpacing = (pool: Hex) =>
  ["getPool(address,address,int24)", "address", [pool]] as const

/** Whether a pool of a venue without listed tiers is foreign, and so on as above. */
const untiered: typeof cases = [
  ["uniswap-v3", false, [getPoolBySpacing(POOL)], { fee: 77, tickSpacing: 10 }],
  ["uniswap-v3", true, [getPoolBySpacing(OTHER)], { fee: 77, tickSpacing: 10 }],
  ["uniswap-v3", false, [getPool(POOL)], { fee: 77, tickSpacing: 10 }],
  ["uniswap-v3", true, [getPool(NOBODY)], { fee: 77, tickSpacing: 10 }],
  // the spacing stays, the fee may have been another
  ["uniswap-v3", false, [getPoolBySpacing(POOL), getPool(NOBODY)], { fee: 77, tickSpacing: 10 }],
  ["uniswap-v3", true, [getPool(OTHER)], { fee: 77 }],
  ["uniswap-v3", true, []],
  ["uniswap-v3", false, [], { fee: 77, tickSpacing: 10 }]
]

it.each(untiered.map((one, i) => [i, ...one] as const))(
  "without tiers, case %i: %s, %s",
  async (_, ...one) => {
    const [kind, expected, answers, more] = one
    expect(await isForeign(kind, answers, more, [])).toBe(expected)
  }
)
