/** Pools of real contracts for the router's tests, with liquidity, and what our own maths quote. */
import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi } from "viem"
import type { ChainConfig } from "../../src/domain/chain.ts"
import { sqrtRatioAtTick } from "../../src/math/concentrated/tick-math.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import type { Event } from "../../streams/event.ts"
import { chainDecoder } from "../../streams/evm/chain-decoder.ts"
import { creationCode } from "../../streams/sources/devchain/contract-code.ts"
import type { PoolFacts, PoolModel } from "../../streams/venue.ts"
import { testChain } from "./chain-config.ts"
import { decodeAll } from "./decode-one.ts"
import { rawLogOf } from "./raw-logs.ts"
import type { RouterMarket } from "./router-market.ts"
import { testContract } from "./test-pools.ts"

const abi = parseAbi([
  "function createPair(address a, address b) returns (address)",
  "function createPool(address a, address b, uint24 fee) returns (address)",
  "function getPair(address a, address b) view returns (address)",
  "function getPool(address a, address b, uint24 fee) view returns (address)",
  "function initialize(uint160 sqrtPriceX96)",
  "function mint(address to)"
])

const addressIn = (word: Hex): Hex => `0x${word.slice(26)}`

const asked = async ({ ask }: RouterMarket, to: Hex, data: Hex): Promise<Hex> => {
  const outcome = await ask(to, data)
  if (!outcome.ok) throw new Error(`${to} does not answer`)
  return addressIn(outcome.answer)
}

const sorted = (x: Hex, y: Hex): readonly [Hex, Hex] => (x < y ? [x, y] : [y, x])

export const deployPairFactory = ({ deploy, owner }: RouterMarket): Promise<Hex> =>
  deploy(
    concatHex([
      creationCode("UniswapV2Factory"),
      encodeAbiParameters([{ type: "address" }], [owner])
    ])
  )

/** A Uniswap V2 pair with so much of both tokens, which the owner has. */
export const openPair = async (
  market: RouterMarket,
  factory: Hex,
  [x, amountX]: readonly [Hex, bigint],
  [y, amountY]: readonly [Hex, bigint]
): Promise<Hex> => {
  const { transact, owner } = market
  const pair = encodeFunctionData({ abi, functionName: "createPair", args: [x, y] })
  await transact(factory, pair)
  const getPair = encodeFunctionData({ abi, functionName: "getPair", args: [x, y] })
  const address = await asked(market, factory, getPair)
  const token = testContract("BareToken")
  await transact(x, token.call("transfer", address, amountX))
  await transact(y, token.call("transfer", address, amountY))
  await transact(address, encodeFunctionData({ abi, functionName: "mint", args: [owner] }))
  return address
}

/** Selectors of the callbacks by which pools of Uniswap V3's shape ask for their payment. */
const CALLBACKS = { uniswap: "fa461e33", pancake: "23a69e75", algebra: "2c8958f6" } as const

/**
 * Uniswap V3's factory. Its pools call back by the name of another venue's where one is named: they
 * trade as that venue's then do, as far as the router can tell.
 */
export const deployRangeFactory = (
  { deploy }: RouterMarket,
  callback: keyof typeof CALLBACKS
): Promise<Hex> => {
  const parts = creationCode("UniswapV3Factory").split(CALLBACKS.uniswap)
  // a swap in each direction has its call
  if (parts.length !== 3) throw new Error(`${parts.length - 1} places call back`)
  return deploy(parts.join(CALLBACKS[callback]) as Hex)
}

/** A pool at the price of a tick, with liquidity around it in two ranges. */
export const openRangePool = async (
  market: RouterMarket,
  factory: Hex,
  [x, y]: readonly [Hex, Hex],
  fee: 500 | 3000,
  tick: number
): Promise<Hex> => {
  const { transact, provider } = market
  await transact(
    factory,
    encodeFunctionData({ abi, functionName: "createPool", args: [x, y, fee] })
  )
  const getPool = encodeFunctionData({ abi, functionName: "getPool", args: [x, y, fee] })
  const pool = await asked(market, factory, getPool)
  const price = sqrtRatioAtTick(tick)
  await transact(pool, encodeFunctionData({ abi, functionName: "initialize", args: [price] }))
  const middle = Math.floor(tick / 60) * 60
  const contract = testContract("TestProvider")
  for (const width of [600, 6000]) {
    const range = [middle - width, middle + width, 10n ** 21n]
    await transact(provider, contract.call("provide", pool, ...range))
  }
  return pool
}

/** A pool by a test contract's name, with so much of both tokens. */
export const openTestPool = async (
  { deploy, transact }: RouterMarket,
  name: string,
  [x, y]: readonly [Hex, Hex],
  ...more: ReadonlyArray<unknown>
): Promise<Hex> => {
  const pool = await deploy(testContract(name).code(x, y, ...more))
  const give = testContract("BareToken").call("transfer", pool, 10n ** 24n)
  for (const token of [x, y]) {
    if (BigInt(token) === 0n) await transact(pool, "0x", 100n * 10n ** 18n)
    else await transact(token, give)
  }
  await transact(pool, testContract("TestSolidlyPair").call("sync"))
  return pool
}

/** What the log of the chain tells of a pool, and our own quote of it. */
export const quoteFromLogs = async <S>(
  market: RouterMarket,
  venue: ChainConfig["venues"][number],
  model: PoolModel<S>,
  facts: Omit<PoolFacts, "tokens" | "decimals"> & { readonly tokens: readonly [Hex, Hex] },
  tokenIn: Hex,
  amountIn: bigint
): Promise<bigint> => {
  const decoder = chainDecoder({ ...testChain, venues: [venue] })
  const events = (await market.logs()).flatMap(log => {
    const raw = rawLogOf(log, Number(log.logIndex))
    if (!decoder.watches(raw)) return []
    const decoded = decodeAll(decoder.decode, raw)
    return typeof decoded === "string" ? [] : decoded
  })
  const of = events.filter((event: Event) => "pool" in event && event.pool === facts.pool)
  const known: PoolFacts = { ...facts, decimals: [18, 18], tokens: sorted(...facts.tokens) }
  const state = of.reduce((one, event) => model.fold(one, event), model.initial(known))
  const place = known.tokens.indexOf(tokenIn)
  const quote = model.quote(state, known, place, 1 - place, amountIn)
  if (!quote.ok) throw new Error(`no quote: ${quote.reason}`)
  return quote.amountOut
}
