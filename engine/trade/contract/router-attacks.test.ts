/**
 * Attacks on the router: whatever hostile pools, tokens, hooks and callers do, it holds nothing
 * afterwards, leaves no allowance, and nobody's allowance to it is spent but the caller's own.
 */
import { encodeFunctionData, toFunctionSelector } from "viem"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { lensAbi } from "../../../streams/sources/devchain/abi.ts"
import { creationCode } from "../../../streams/sources/devchain/contract-code.ts"
import {
  callback,
  type RawLeg,
  type Step,
  unlocked,
  vaulted,
  words
} from "../../../test/support/hostile-calls.ts"
import {
  errorOf,
  openRouterMarket,
  type RouterMarket
} from "../../../test/support/router-market.ts"
import {
  deployPairFactory,
  deployRangeFactory,
  openPair,
  openRangePool,
  openTestPool
} from "../../../test/support/router-pools.ts"
import { type Random, randoms } from "../../../test/support/seed.ts"
import { testContract } from "../../../test/support/test-pools.ts"
import { NATIVE, routerAbi, WHOLE } from "./router-call.ts"

type Hex = `0x${string}`

const ONE = 10n ** 18n
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const STEPS = isLong ? 2000 : 70
const ADAPTERS = 17
const UNISWAP_V2 = 2
const UNISWAP_V3 = 4
const CURVE_STABLE = 8

let market: RouterMarket
let hostile: Hex
let token: Hex
let lens: Hex
let pools: { pair: Hex; range: Hex; curve: Hex; strange: Hex }

const erc20 = testContract("BareToken")
const account = testContract("TestAccount")
const enemy = testContract("HostileContract")

beforeAll(async () => {
  market = await openRouterMarket()
  const { a, b, c, deploy, transact, owner, router, victim } = market
  hostile = await deploy(enemy.code())
  const strange = testContract("TestHostileToken")
  token = await deploy(strange.code())
  lens = await deploy(creationCode("Lens"))
  const pairs = await deployPairFactory(market)
  const ranges = await deployRangeFactory(market, "uniswap")
  for (const holder of [owner, victim]) {
    await transact(token, strange.call("mint", holder, 10n ** 30n))
  }
  await transact(token, erc20.call("approve", router, 10n ** 30n))
  const allow = erc20.call("approve", router, 10n ** 30n)
  await transact(victim, account.call("run", token, 0n, allow))
  pools = {
    pair: await openPair(market, pairs, [a, 1000n * ONE], [b, 3000n * ONE]),
    range: await openRangePool(market, ranges, [a, b], 3000, 10_000),
    curve: await openTestPool(market, "TestCurvePool", [b, c], ONE),
    strange: await openPair(market, pairs, [token, 1000n * ONE], [a, 1000n * ONE])
  }
  // the hostile contract may trade as anybody may
  for (const one of [a, b]) {
    await transact(one, erc20.call("transfer", hostile, 10n ** 24n))
    const approve = erc20.call("approve", router, 10n ** 30n)
    await transact(hostile, enemy.call("plan", [{ target: one, data: approve }], "0x"))
    await transact(hostile, "0x01")
  }
  await transact(token, strange.call("obey", hostile))
})
afterAll(() => market?.close())

const swapOf = (tokenIn: Hex, tokenOut: Hex, legs: ReadonlyArray<RawLeg>, more = {}): Hex => {
  const one = market.order({ tokenIn, tokenOut, legs: [], ...more })
  return encodeFunctionData({ abi: routerAbi, functionName: "swap", args: [{ ...one, legs }] })
}

const plan = (steps: ReadonlyArray<Step>, answer: Hex = "0x") =>
  market.transact(hostile, enemy.call("plan", steps, answer))

/** How many of the planned calls were made, and how many of these were let through. */
const told = async (name: "tried" | "succeeded" | "everTried"): Promise<number> => {
  const answer = await market.ask(hostile, enemy.call(name))
  return answer.ok ? Number(BigInt(answer.answer)) : -1
}
const outcome = async () => ({ tried: await told("tried"), succeeded: await told("succeeded") })

/** All that is held and allowed by the router and by the victim. */
const holdings = async () => {
  const { a, b, c, six, weth, router, victim, ask, balanceOf, permit2, poolManager } = market
  const tokens = [a, b, c, six, weth, token]
  const spenders = [hostile, permit2, poolManager, victim, ...Object.values(pools), ...tokens]
  const triples = [
    ...tokens.flatMap(of => spenders.map(spender => [of, router, spender] as const)),
    ...tokens.map(of => [of, victim, router] as const)
  ]
  const args = [0, 1, 2].map(i => triples.map(triple => triple[i])) as unknown as [
    Array<Hex>,
    Array<Hex>,
    Array<Hex>
  ]
  const [seen, native] = await Promise.all([
    ask(lens, encodeFunctionData({ abi: lensAbi, functionName: "holdings", args })),
    balanceOf(NATIVE, router)
  ])
  if (!seen.ok) throw new Error("the lens failed")
  const numbers = seen.answer.slice(2).match(/.{64}/g)?.slice(2) ?? []
  const ofRouter = 2 * tokens.length * spenders.length
  return {
    router: numbers.slice(0, ofRouter).filter(word => BigInt(`0x${word}`) !== 0n),
    native,
    victim: numbers.slice(ofRouter).join()
  }
}

/** Sends a call of the router as the owner, whatever becomes of it. */
const attempt = async (data: Hex, value = 0n): Promise<boolean> => {
  await market.send(market.router, data, 8_000_000, value)
  return (await market.receipts()).at(-1)?.status === "0x1"
}

describe("one attack each", () => {
  const legTo = (adapter: number, pool: Hex, data: Hex = "0x"): RawLeg => {
    const { a: tokenIn, b: tokenOut } = market
    return { adapter, pool, tokenIn, tokenOut, share: 0n, amount: ONE, data }
  }

  it("refuses strangers every function that is for pools", async () => {
    const { a, b, owner, ask, router, victim } = market
    const stolen = words("address address uint256", victim, a, ONE)
    const calls = [
      callback("uniswapV3", ONE, stolen),
      callback("pancakeV3", ONE, stolen),
      callback("algebra", ONE, stolen),
      unlocked(a, b),
      vaulted(pools.pair, b)
    ]
    for (const from of [owner, victim, pools.range, market.poolManager]) {
      for (const data of calls) {
        const answer = await ask(router, data, { from })
        expect(answer.ok ? "let in" : errorOf(answer.data)).toBe(`strangerscallback(${from})`)
      }
    }
  })

  it("pays a hostile pool what its leg sells, once, whoever it names as payer", async () => {
    const { a, b, victim, balanceOf, router } = market
    const before = await holdings()
    const has = await balanceOf(a, hostile)
    const named = words("address address uint256", victim, a, 10n * ONE)
    const steps = [
      { target: router, data: callback("uniswapV3", 5n * ONE, named) },
      { target: router, data: callback("algebra", -1n, named) },
      { target: a, data: erc20.call("transferFrom", router, hostile, 1n) },
      { target: a, data: erc20.call("transferFrom", victim, hostile, 1n) },
      { target: router, data: callback("pancakeV3", ONE, named) },
      { target: router, data: callback("uniswapV3", 1n, named) },
      { target: router, data: unlocked(a, b) },
      { target: b, data: erc20.call("transfer", router, 7n) }
    ]
    await plan(steps)
    const legs = [legTo(UNISWAP_V3, hostile)]
    expect(await attempt(swapOf(a, b, legs, { amountIn: 9n * ONE, minimumOut: 7n }))).toBe(true)
    // the third callback's payment, and its own gift of what it had to pay
    expect(await outcome()).toEqual({ tried: steps.length, succeeded: 2 })
    expect((await balanceOf(a, hostile)) - has).toBe(ONE)
    expect(await holdings()).toEqual(before)
  })

  it("expects a pool only while its leg runs", async () => {
    const { a, b, router, balanceOf } = market
    const before = await holdings()
    const has = await balanceOf(a, hostile)
    await plan([
      { target: b, data: erc20.call("transfer", router, 7n) },
      { target: NATIVE, data: "0x" },
      { target: router, data: callback("uniswapV3", ONE, "0x") }
    ])
    const fee = words("uint256", 3000n)
    const later = { ...legTo(UNISWAP_V2, pools.strange, fee), tokenOut: token }
    const legs = [legTo(UNISWAP_V3, hostile), later]
    expect(await attempt(swapOf(a, b, legs, { amountIn: 3n * ONE }))).toBe(true)
    expect(await outcome()).toEqual({ tried: 2, succeeded: 1 })
    expect(await balanceOf(a, hostile)).toBe(has)
    expect(await holdings()).toEqual(before)
  })

  it("lets no token begin a swap within a swap, which could sell what another one holds", async () => {
    const { a, b, c, router, victim, balanceOf, transact } = market
    const fee = words("uint256", 3000n)
    const rest = { ...legTo(UNISWAP_V2, pools.pair, fee), share: WHOLE, amount: 0n }
    const inner = swapOf(a, b, [rest], { amountIn: 1n, recipient: hostile })
    const steps = [
      { target: router, data: inner },
      { target: router, data: callback("uniswapV3", ONE, "0x") }
    ]
    // by itself the swap is good
    await plan(steps)
    await transact(hostile, "0x01")
    expect(await outcome()).toEqual({ tried: 2, succeeded: 1 })
    await plan(steps)
    const has = await balanceOf(b, hostile)
    const toToken = { ...legTo(UNISWAP_V2, pools.strange, fee), tokenOut: token }
    const order = swapOf(a, b, [toToken, rest], { amountIn: 10n * ONE, recipient: victim })
    await transact(victim, account.call("run", router, 0n, order))
    expect(await outcome()).toEqual({ tried: 2, succeeded: 0 })
    expect(await balanceOf(b, hostile)).toBe(has)
    for (const of of [a, b, c, token]) expect(await balanceOf(of, router)).toBe(0n)
  })

  it("lets a hook of Uniswap V4 neither begin a swap nor be paid besides", async () => {
    const { a, b, owner, router, url, initialize, addLiquidity, order, tried, transact } = market
    // the lowest bits of a hook's address tell when it is called: after swaps, to change the output
    const hooks: Hex = `0x${"d0044".padStart(40, "0")}`
    const rpc = async (method: string, ...params: ReadonlyArray<unknown>) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      const headers = { "content-type": "application/json" }
      return (await (await fetch(url, { method: "POST", headers, body })).json()).result
    }
    await rpc("anvil_setCode", hooks, await rpc("eth_getCode", hostile, "latest"))
    const key = { currency0: a, currency1: b, fee: 3000, tickSpacing: 60, hooks }
    await initialize(key, 2n ** 96n)
    await addLiquidity(key, -6000, 6000, 10n ** 21n)
    const before = await holdings()
    const selector = toFunctionSelector(
      "afterSwap(address,(address,address,uint24,int24,address),(bool,int256,uint160),int256,bytes)"
    )
    const says = (taken: bigint): Hex =>
      `${selector.padEnd(66, "0") as Hex}${words("int128", taken).slice(2)}`
    const fee = words("uint256", 3000n)
    const inner = swapOf(a, b, [legTo(UNISWAP_V2, pools.pair, fee)])
    const steps = [
      { target: router, data: unlocked(a, b) },
      { target: router, data: callback("uniswapV3", ONE, "0x") },
      { target: router, data: inner }
    ]
    const leg = { kind: "uniswap-v4", ...key, hookData: "0x", pool: market.poolManager } as const
    const legs = [{ ...leg, tokenIn: a, tokenOut: b, share: WHOLE }]
    const sold = order({ tokenIn: a, tokenOut: b, legs })
    await transact(hooks, enemy.call("plan", steps, says(2n * ONE)))
    expect(await tried(sold)).toBe(`poolaskstoomuch(${2n ** 256n - 1n}, ${ONE})`)
    await transact(hooks, enemy.call("plan", steps, says(0n)))
    expect(await tried(sold, { from: owner })).toBeTypeOf("bigint")
    await market.execute(sold)
    const count = async (name: string) => {
      const answer = await market.ask(hooks, enemy.call(name))
      return answer.ok && Number(BigInt(answer.answer))
    }
    expect([await count("tried"), await count("succeeded")]).toEqual([3, 0])
    expect(await holdings()).toEqual(before)
  })

  it("leaves a hostile taker no allowance for later", async () => {
    const { a, b, transact, router } = market
    const before = await holdings()
    await plan([{ target: b, data: erc20.call("transfer", router, 7n) }])
    const data = words("int128 int128", 0n, 1n)
    expect(await attempt(swapOf(a, b, [legTo(CURVE_STABLE, hostile, data)]))).toBe(true)
    await plan([{ target: a, data: erc20.call("transferFrom", router, hostile, 1n) }])
    await transact(hostile, "0x01")
    expect(await outcome()).toEqual({ tried: 1, succeeded: 0 })
    expect(await holdings()).toEqual(before)
  })

  it("trades with no token as its pool", async () => {
    const { a, b, victim, router, owner, ask } = market
    const transferFrom = erc20.call("transferFrom", victim, router, ONE)
    for (let adapter = 0; adapter < ADAPTERS; adapter++) {
      for (const pool of [a, b, router, victim, market.weth, market.permit2]) {
        for (const data of [transferFrom, words("address address uint256", victim, pool, ONE)]) {
          const told = await ask(router, swapOf(a, b, [legTo(adapter, pool, data)]), {
            from: owner
          })
          expect(told.ok).toBe(false)
        }
      }
    }
  })

  it("stops no caller that takes no native units, where somebody forced some on it", async () => {
    const { a, b, router, victim, transact, deploy, send, mine, balanceOf } = market
    const closed = testContract("TestVault")
    const wallet = await deploy(closed.code())
    await transact(a, erc20.call("transfer", wallet, ONE))
    await transact(wallet, closed.call("run", a, 0n, erc20.call("approve", router, ONE)))
    await send(null, testContract("TestForce").code(router), 1_000_000, 5n)
    await mine()
    const legs = [legTo(UNISWAP_V2, pools.pair, words("uint256", 3000n))]
    const sold = swapOf(a, b, legs, { recipient: victim })
    await transact(wallet, closed.call("run", router, 0n, sold))
    expect(await balanceOf(NATIVE, router)).toBe(5n)
    expect(await attempt(sold)).toBe(true)
    expect(await balanceOf(NATIVE, router)).toBe(0n)
  })
})

/** Swaps of chance, made of parts that fit and of parts that do not. */
const chaos = (chance: Random) => {
  const { a, b, c, weth, router, victim, permit2, poolManager } = market
  const tokens = [a, b, c, weth, token, NATIVE]
  const places = [
    hostile,
    hostile,
    ...Object.values(pools),
    a,
    token,
    router,
    victim,
    weth,
    permit2
  ]
  const amount = () => chance.bits(chance.integer(1, 70)) + 1n
  const data = (): Hex =>
    chance.pick([
      "0x",
      words("uint256", 3000n),
      words("int128 int128", BigInt(chance.integer(0, 1)), BigInt(chance.integer(0, 1))),
      words("bool", chance.boolean()),
      words("address uint24", chance.pick(places), 3000),
      words("uint24 int24 address bytes", 3000, 60, hostile, "0x"),
      words("address address uint256", victim, a, ONE)
    ])
  const leg = (): RawLeg => ({
    adapter: chance.integer(0, ADAPTERS - 1),
    pool: chance.boolean(0.1) ? poolManager : chance.pick(places),
    tokenIn: chance.pick(tokens),
    tokenOut: chance.pick(tokens),
    ...(chance.boolean(0.7) ? { share: WHOLE, amount: 0n } : { share: 0n, amount: amount() }),
    data: data()
  })
  const sound = (): RawLeg => {
    const [pool, one, two] = chance.pick([
      [pools.pair, a, b],
      [pools.strange, token, a],
      [pools.pair, b, a],
      [pools.strange, a, token]
    ] as const)
    const share = chance.pick([WHOLE, WHOLE / 2n, WHOLE / 3n])
    const tokenOut = chance.boolean(0.9) ? two : chance.pick(tokens)
    const fee = words("uint256", 3000n)
    return { adapter: UNISWAP_V2, pool, tokenIn: one, tokenOut, share, amount: 0n, data: fee }
  }
  const swap = (): { readonly data: Hex; readonly value: bigint } => {
    const legs = Array.from({ length: chance.integer(1, 4) }, () =>
      chance.boolean(0.7) ? sound() : leg()
    )
    const tokenIn = chance.boolean(0.9) ? (legs[0]?.tokenIn ?? a) : chance.pick(tokens)
    const tokenOut = chance.boolean(0.9) ? (legs.at(-1)?.tokenOut ?? b) : chance.pick(tokens)
    const amountIn = amount()
    const value = tokenIn === NATIVE ? amountIn : 0n
    const minimumOut = chance.boolean(0.9) ? 0n : amount()
    return { data: swapOf(tokenIn, tokenOut, legs, { amountIn, minimumOut }), value }
  }
  const step = (): Step =>
    chance.pick<() => Step>([
      () => ({ target: router, data: callback("uniswapV3", amount(), data()) }),
      () => ({ target: router, data: callback("algebra", -amount(), data()) }),
      () => ({ target: router, data: unlocked(a, b) }),
      () => ({ target: router, data: vaulted(chance.pick(places), chance.pick(tokens)) }),
      () => ({ target: router, data: swap().data }),
      () => ({ target: a, data: erc20.call("transferFrom", router, hostile, amount()) }),
      () => ({ target: b, data: erc20.call("transferFrom", victim, hostile, amount()) }),
      () => ({ target: pools.pair, data: testContract("TestSolidlyPair").call("sync") })
    ])()
  return { swap, step, amount }
}

it.each(randoms("router attacks"))("holds nothing after any sequence of swaps", async chance => {
  const { swap, step, amount } = chaos(chance)
  const before = await holdings()
  expect([before.router, before.native]).toEqual([[], 0n])
  const first = await told("everTried")
  let swaps = 0
  for (let i = 0; i < STEPS; i++) {
    const steps = Array.from({ length: chance.integer(0, 4) }, step)
    const answer = chance.pick<Hex>(["0x", words("uint256 uint256", amount(), amount())])
    await market.send(hostile, enemy.call("plan", steps, answer))
    const { data, value } = swap()
    if (await attempt(data, value)) swaps++
    expect(await holdings(), `step ${i}`).toEqual(before)
  }
  expect(swaps).toBeGreaterThan(STEPS / 10)
  expect((await told("everTried")) - first).toBeGreaterThan(STEPS / 10)
})
