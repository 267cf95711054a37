/**
 * Tokens that turn hostile between quote and swap, sold, bought and passed through by each way of
 * paying a pool: a swap gives what it said, or reverts with a name, and leaves nothing behind.
 */
import { afterAll, beforeAll, expect, it } from "vitest"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool,
  openTestPool
} from "../../../test/support/router-pools.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { type RouterLeg, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n

/** What becomes of a swap: it is good, or reverts with an error of the router's or of a pool's. */
const OUTCOMES = {
  ...{ good: "G", badleg: "B", transferfailed: "T", toolittlereceived: "L" },
  ...{ error: "e", panic: "p" }
} as const
type Outcome = keyof typeof OUTCOMES

/**
 * What a token does, in the order of `TestWhims.sol`, and what becomes of the swaps of `routesOf`:
 * sold and bought by a pair, a range pool, a book and an allowance, and passed through twice.
 */
const WHIMS: ReadonlyArray<readonly [whim: string, outcomes: string]> = [
  ["is honest", "GGGGGGGGGG"],
  ["takes all", "BBBBBBBBBB"],
  ["takes most of sales", "GGeGGGGGGe"],
  ["shuns the router", "TeTeTeTeee"],
  ["answers false", "TeTeTTTTeT"],
  ["answers two", "TTTTTTTTGT"],
  ["answers nothing", "GGGGGGGGGG"],
  ["hides balances", "TTTTTTTTTT"],
  ["answers no balance", "TTTTTTTTTT"],
  // a book's own sum fails
  ["shrinks", "TeGGpGGGee"],
  ["grows", "GGeGGGGGGe"],
  ["shrinks at the taker", "TeGLpLGLeG"],
  ["is paused", "TeTeTeTeee"],
  ["refuses approvals", "GGGGGGTGTG"],
  ["hides allowances", "GGGGGGTGTG"],
  ["burns gas", "TeTeTeTeee"],
  ["shouts", "TTTTTTTTGT"]
]

const contract = testContract("TestWhimToken")
const plain = testContract("BareToken")

let market: RouterMarket
let factories: { pairs: Hex; ranges: Hex }

beforeAll(async () => {
  market = await openRouterMarket()
  factories = {
    pairs: await deployPairFactory(market),
    ranges: await deployRangeFactory(market, "uniswap")
  }
})
afterAll(() => market?.close())

/** A new token with pools of each way of being paid: against A, and against B by allowance. */
const openToken = async () => {
  const { deploy, transact, owner, provider, router, a, b } = market
  const token = await deploy(contract.code())
  for (const holder of [owner, provider])
    await transact(token, contract.call("mint", holder, 10n ** 30n))
  await transact(token, contract.call("approve", router, 10n ** 30n))
  const { pairs, ranges } = factories
  const pair = await openPair(market, pairs, [token, 1000n * ONE], [a, 1000n * ONE])
  const range = await openRangePool(market, ranges, [token, a], 3000, 0)
  const curve = await openTestPool(market, "TestCurvePool", [token, b], ONE)
  const book = await openTestPool(market, "TestBinPair", [token, a], ONE)
  return { token, pair, range, curve, book }
}

type Pools = Awaited<ReturnType<typeof openToken>>

const routesOf = ({ token, pair, range, curve, book }: Pools) => {
  const { a, b } = market
  const leg = (more: object, pool: Hex, tokenIn: Hex, tokenOut: Hex) =>
    ({ ...more, pool, tokenIn, tokenOut, share: WHOLE }) as RouterLeg
  const byPair = (x: Hex, y: Hex) => leg({ kind: "uniswap-v2", fee: 3000 }, pair, x, y)
  const byRange = (x: Hex, y: Hex) =>
    leg({ kind: "uniswap-v3", fee: 3000, factory: factories.ranges }, range, x, y)
  const byCurve = (x: Hex, y: Hex) => {
    const [from, to] = x === token ? [0, 1] : [1, 0]
    return leg({ kind: "curve-stable", from, to }, curve, x, y)
  }
  const byBook = (x: Hex, y: Hex) =>
    leg({ kind: "liquidity-book", sellsFirst: x === token }, book, x, y)
  const one = (made: RouterLeg): ReadonlyArray<RouterLeg> => [made]
  return [
    ...[byPair, byRange, byBook].flatMap(by => [one(by(token, a)), one(by(a, token))]),
    ...[one(byCurve(token, b)), one(byCurve(b, token))],
    [byPair(a, token), byCurve(token, b)],
    [byCurve(b, token), byRange(token, a)]
  ]
}

it.each(WHIMS.map(([whim, outcomes], place) => [whim, outcomes, place] as const))(
  "swaps a token that %s as it says, or names why not: %s",
  async (_, outcomes, place) => {
    const { a, b, owner, router, victim, order, tried, execute, balanceOf, transact } = market
    const pools = await openToken()
    const { token, pair, range, curve, book } = pools
    const victims = await Promise.all([a, b].map(of => balanceOf(of, victim)))
    await transact(token, contract.call("turn", place, router, owner, [pair, range, curve, book]))
    let met = ""
    for (const legs of routesOf(pools)) {
      const [tokenIn, tokenOut] = [legs[0]?.tokenIn ?? a, legs.at(-1)?.tokenOut ?? a]
      const sold = order({ tokenIn, tokenOut, legs })
      const told = await tried(sold)
      const name = typeof told === "string" ? told.replace(/\(.*/, "") : "good"
      met += OUTCOMES[name as Outcome] ?? name
      if (typeof told === "string") continue
      const { received } = await execute({ ...sold, minimumOut: told })
      if (tokenOut !== token) expect(received).toBe(told)
    }
    expect(met).toBe(outcomes)
    expect(await Promise.all([a, b].map(of => balanceOf(of, router)))).toEqual([0n, 0n])
    expect(await Promise.all([a, b].map(of => balanceOf(of, victim)))).toEqual(victims)
    for (const pool of [pair, range, curve, book]) {
      for (const of of [a, b]) {
        const left = await market.ask(of, plain.call("allowance", router, pool))
        expect(left).toMatchObject({ ok: true, answer: `0x${"0".repeat(64)}` })
      }
    }
  }
)
