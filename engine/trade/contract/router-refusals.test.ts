/** What the router refuses, with the name of each cause. */
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, expect, it } from "vitest"
import { signPermit } from "../../../test/support/permit2.ts"
import { openRouterMarket, type RouterMarket } from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool
} from "../../../test/support/router-pools.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { compileProbe, compileRouter } from "./compile-router.ts"
import compiled from "./router.json" with { type: "json" }
import { NATIVE, type RouterLeg, routerAbi, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n
/** The first account of Anvil's, whose key everybody knows. */
const OWNER_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"

let market: RouterMarket
let pair: Hex
let range: Hex
let ranges: Hex

beforeAll(async () => {
  market = await openRouterMarket()
  const { a, b } = market
  const pairs = await deployPairFactory(market)
  pair = await openPair(market, pairs, [a, 1000n * ONE], [b, 3000n * ONE])
  ranges = await deployRangeFactory(market, "uniswap")
  range = await openRangePool(market, ranges, [a, b], 3000, 10_000)
})
afterAll(() => market?.close())

const pairLeg = (more: Partial<RouterLeg> = {}): RouterLeg =>
  ({
    ...{ kind: "uniswap-v2", fee: 3000, pool: pair, tokenIn: market.a, tokenOut: market.b },
    ...{ share: WHOLE },
    ...more
  }) as RouterLeg

const rangeLeg = (more: Partial<RouterLeg> = {}): RouterLeg =>
  pairLeg({ kind: "uniswap-v3", pool: range, factory: ranges, ...more })

/** An order of A for B through these legs, and what becomes of it. */
const sell = (legs: ReadonlyArray<RouterLeg>, more = {}) => {
  const { a, b, order, tried } = market
  return tried(order({ tokenIn: a, tokenOut: b, legs, ...more }))
}

it("is what its sources compile to, with the functions and errors that callers know", () => {
  const { compiler, bytecode, abi, metadata } = compileRouter()
  expect({ compiler, bytecode, transferProbe: compileProbe() }).toEqual(compiled)
  expect(bytecode.length / 2).toBeLessThan(24_576)
  expect(JSON.parse(metadata).compiler.version).toBe(compiler.replace(".Emscripten.clang", ""))
  const shapeOf = (one: { readonly [key: string]: unknown }): string =>
    JSON.stringify([
      one["type"],
      one["name"] ?? "",
      typesIn(one["inputs"]),
      typesIn(one["outputs"])
    ])
  const typesIn = (inputs: unknown): unknown =>
    ((inputs ?? []) as ReadonlyArray<{ type: string; components?: unknown }>).map(
      ({ type, components }) => (components === undefined ? type : [type, typesIn(components)])
    )
  const shapes = (all: ReadonlyArray<object>) =>
    all.map(one => shapeOf(one as { readonly [key: string]: unknown })).sort()
  expect(shapes(routerAbi)).toEqual(shapes(abi))
})

it("moves tokens of others in one place only, which takes from the caller", () => {
  const places = (selector: string) => compiled.bytecode.split(selector).length - 1
  expect(places("23b872dd")).toBe(1)
  // Permit2's transferFrom by allowance, and permit of tokens
  expect([places("36c78516"), places("d505accf")]).toEqual([0, 0])
  // DELEGATECALL, CALLCODE and SELFDESTRUCT are no instructions of it
  expect(
    instructionsOf(compiled.bytecode as Hex).filter(op => [0xf4, 0xf2, 0xff].includes(op))
  ).toEqual([])
  expect(instructionsOf(compiled.bytecode as Hex)).not.toContain(0x55)
})

/** The instructions of bytecode up to the compiler's own words behind them. */
const instructionsOf = (code: Hex): ReadonlyArray<number> => {
  const bytes = Buffer.from(code.slice(2), "hex")
  const end = bytes.length - 2 - bytes.readUInt16BE(bytes.length - 2)
  const found: Array<number> = []
  for (let at = 0; at < end; at++) {
    const op = bytes[at] as number
    found.push(op)
    if (op >= 0x60 && op <= 0x7f) at += op - 0x5f
  }
  return found
}

it("refuses what comes too late, and what would give too little", async () => {
  const good = (await sell([pairLeg()])) as bigint
  expect(await sell([pairLeg()], { minimumOut: good })).toBe(good)
  expect(await sell([pairLeg()], { minimumOut: good + 1n })).toBe(
    `toolittlereceived(${good}, ${good + 1n})`
  )
  expect(await sell([pairLeg()], { deadline: 1_700_000_000n })).toBe("deadlinepassed(1700000000)")
  expect(await sell([], { minimumOut: 1n })).toBe("toolittlereceived(0, 1)")
})

it("refuses legs that do not fit", async () => {
  const { a, c, weth, poolManager } = market
  const amounts = (...all: ReadonlyArray<bigint>) =>
    sell(all.map(amount => ({ ...pairLeg({ share: 0n }), amount }) as RouterLeg))
  // sums of exact amounts: less is given back, more is not there
  expect(typeof (await amounts(ONE / 2n, ONE / 4n))).toBe("bigint")
  expect(await amounts(ONE / 2n, ONE / 2n + 1n)).toBe("badleg(1)")
  expect(await amounts(ONE, 1n)).toBe("badleg(1)")
  expect(await amounts(0n)).toBe("badleg(0)")
  expect(await sell([pairLeg({ share: WHOLE + 1n })])).toBe("badleg(0)")
  expect(await sell([{ ...pairLeg(), amount: 1n } as RouterLeg])).toBe("badleg(0)")
  expect(await sell([pairLeg({ pool: "0x00000000000000000000000000000000000000aa" })])).toBe(
    "badleg(0)"
  )
  // another token than the pool's: what it pays would stay with nobody
  const other = { tokenOut: c, minimumOut: 0n }
  expect(await sell([pairLeg({ tokenOut: c })], other)).toBe("badleg(0)")
  expect(await sell([rangeLeg({ tokenOut: c, factory: null })], other)).toBe("badleg(0)")
  const wrong = { kind: "wrap", pool: weth, tokenIn: a, tokenOut: weth } as const
  expect(await sell([pairLeg(wrong)])).toBe("badleg(0)")
  const foreign = { fee: 3000, tickSpacing: 60, hooks: NATIVE, hookData: "0x" } as const
  expect(await sell([pairLeg({ kind: "uniswap-v4", pool: pair, ...foreign })])).toBe("badleg(0)")
  expect(await sell([pairLeg({ kind: "uniswap-v4", pool: poolManager, ...foreign })])).not.toBe(1n)
})

it("asks the factory whether it knows the pool", async () => {
  const { a, b } = market
  expect(typeof (await sell([rangeLeg()]))).toBe("bigint")
  expect(typeof (await sell([rangeLeg({ factory: null })]))).toBe("bigint")
  const other = await openRangePool(
    market,
    await deployRangeFactory(market, "uniswap"),
    [a, b],
    3000,
    10_000
  )
  expect(await sell([rangeLeg({ pool: other })])).toBe(`unknownpool(${other}, ${ranges})`)
})

it("refuses recipients and values that would lose what is sent", async () => {
  const { a, b, router, order, tried, weth, ask } = market
  const legs = [pairLeg()]
  expect(await sell(legs, { recipient: NATIVE })).toBe(`badrecipient(${NATIVE})`)
  expect(await sell(legs, { recipient: router })).toBe(`badrecipient(${router})`)
  expect(await sell(legs, { tokenOut: a })).toBe(`sametoken(${a})`)
  const plain = order({ tokenIn: a, tokenOut: b, legs })
  expect(await tried(plain, { value: 5n })).toBe("wrongnativeamount(5, 0)")
  const wrap = { kind: "wrap", pool: weth, tokenIn: NATIVE, tokenOut: weth, share: WHOLE } as const
  const native = order({ tokenIn: NATIVE, tokenOut: weth, legs: [wrap] })
  expect(await tried(native, { value: 5n })).toBe(`wrongnativeamount(5, ${ONE})`)
  const outside = await ask(router, "0x", { from: market.owner, value: 1n })
  expect(outside.ok).toBe(false)
})

it("tells why the input cannot be taken", async () => {
  const { a, victim, order, tried, b } = market
  // the victim has allowed the router everything: that is for its own calls
  const stranger: Hex = "0x00000000000000000000000000000000000000bb"
  const told = await tried(order({ tokenIn: a, tokenOut: b, legs: [pairLeg()] }), {
    from: stranger
  })
  expect(told).toMatch(new RegExp(`^transferfailed\\(${a}, 0x08c379a0`))
  expect(
    typeof (await tried(order({ tokenIn: a, tokenOut: b, legs: [pairLeg()] }), { from: victim }))
  ).toBe("bigint")
})

const signed = async (
  amount: bigint,
  { nonce = 1n, spender = market.router, token = market.a } = {}
) => {
  const owner = privateKeyToAccount(OWNER_KEY)
  const deadline = 4_000_000_000n
  const { permit2 } = market
  const signature = await signPermit(owner, {
    ...{ permit2, chainId: 8453, token, amount, spender, nonce, deadline }
  })
  return { nonce, signedUntil: deadline, signature }
}

it("takes the input by a signature for Permit2, of its caller only, once", async () => {
  const { a, b, order, execute, tried, transact, router, victim } = market
  await transact(a, testContract("BareToken").call("approve", router, 0n))
  const sold = order({ tokenIn: a, tokenOut: b, legs: [pairLeg()] })
  const permit = await signed(sold.amountIn)
  expect(await tried({ ...sold, recipient: victim }, { from: victim, permit })).toBe(
    "error(signer)"
  )
  expect(await tried({ ...sold, amountIn: 2n * ONE }, { permit })).toBe("error(signer)")
  expect((await execute(sold, permit)).received).toBeGreaterThan(ONE)
  expect(await tried(sold, { permit })).toBe("error(nonce)")
  const native = order({ tokenIn: NATIVE, tokenOut: b, legs: [] })
  expect(await tried(native, { permit, value: 0n })).toBe(`wrongnativeamount(0, ${ONE})`)
})
