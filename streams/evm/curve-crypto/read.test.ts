import { expect, it } from "vitest"
import { readState } from "../../../test/support/read-state.ts"
import type { PoolFacts, StateAnswer, StateCall } from "../../venue.ts"
import { eventOf } from "../../venue-laws.ts"
import { curveCryptoModel } from "./pool.ts"
import { cryptoStateRead } from "./read.ts"

const POOL = `0x${"aa".repeat(20)}`
const MATHS = 0x1234n

const factsOf = (tokens: ReadonlyArray<string>): PoolFacts => ({
  pool: POOL,
  tokens,
  fee: null,
  tickSpacing: null,
  decimals: tokens.map(() => 18)
})

interface Contract {
  readonly [name: string]: bigint | ReadonlyArray<bigint>
}

const text = (value: string): StateAnswer => {
  const bytes = [...value].map(letter => letter.charCodeAt(0).toString(16)).join("")
  return [32n, BigInt(value.length), BigInt(`0x${bytes.padEnd(64, "0")}`)]
}

/** A contract whose accessors answer these numbers, and refuse all else. */
const answerOf =
  (contract: Contract, version = "v2.0.0") =>
  (to: string, { abi, args }: StateCall): StateAnswer => {
    if (abi.includes("version()")) {
      expect(BigInt(to)).toBe(MATHS)
      return text(version)
    }
    const value = contract[abi.slice("function ".length, abi.indexOf("("))]
    const told = typeof value === "object" ? value[Number(args?.[0] ?? -1n)] : value
    return told === undefined ? null : [told]
  }

const packed = (a: bigint, gamma: bigint): bigint => (a << 128n) | gamma

// The pools of src/math/crypto-swap: as KyberNetwork/kyberswap-dex-lib tests them.
const tricrypto = {
  MATH: MATHS,
  D: 11990883592127090140834712n,
  virtual_price: 1002781276086899355n,
  totalSupply: 6209561906175920711602n,
  initial_A_gamma: packed(1_707_629n, 11_809_167_828_997n),
  future_A_gamma: packed(540_000n, 80_500_000_000_000n),
  initial_A_gamma_time: 1_705_051_559n,
  future_A_gamma_time: 1_705_537_322n,
  mid_fee: 1_000_000n,
  out_fee: 140_000_000n,
  fee_gamma: 400_000_000_000_000n,
  price_scale: [66313464177401058702341n, 3988288337309167729564n],
  balances: [3848079508071253519125552n, 60997386412794855327n, 1028200997183081004168n]
}
const twocrypto = {
  MATH: MATHS,
  D: 1996236386986675947911n,
  virtual_price: 1n,
  totalSupply: 10n ** 21n,
  initial_A_gamma: packed(20_000_000n, 20_000_000_000_000_000n),
  future_A_gamma: packed(20_000_000n, 20_000_000_000_000_000n),
  initial_A_gamma_time: 0n,
  future_A_gamma_time: 0n,
  mid_fee: 500_000n,
  out_fee: 8_000_000n,
  fee_gamma: 30_000_000_000_000_000n,
  price_scale: 983313638977093334n,
  balances: [968569777414549410834n, 1045106588251996643768n]
}

const read = (contract: Contract, coins: number, version?: string) => {
  const facts = factsOf(["0x1", "0x2", "0x3"].slice(0, coins))
  const known = curveCryptoModel.initial(facts)
  const question = { facts, factory: null, known, time: 1_710_842_900 }
  return readState(cryptoStateRead, question, answerOf(contract, version))
}

const outputOf = (
  state: Awaited<ReturnType<typeof read>>,
  coins: number,
  [from, to, amount]: readonly [number, number, bigint]
) => {
  const facts = factsOf(["0x1", "0x2", "0x3"].slice(0, coins))
  if (state === null) throw new Error("no state")
  return curveCryptoModel.quote(state, facts, from, to, amount)
}

it("quotes published swaps of three coins from a state that was read", async () => {
  const state = await read(tricrypto, 3)
  for (const [from, to, amountIn, amountOut] of [
    [0, 1, 5000000000000000012345n, 77709786016695971n],
    [0, 2, 500000000000000001n, 130828739090584n],
    [2, 1, 50000000000000000123n, 2809513964503774599n],
    [2, 0, 500000000000000000000n, 1247392878908745428005336n]
  ] as const) {
    expect(outputOf(state, 3, [from, to, amountIn])).toEqual({ ok: true, amountIn, amountOut })
  }
  const unsafe = outputOf(state, 3, [2, 0, 50000000000000000000012n])
  expect(unsafe).toEqual({ ok: false, reason: "no-liquidity" })
})

it("quotes published swaps of two coins from a state that was read", async () => {
  for (const version of ["v2.0.0", "v2.1.0"]) {
    const state = await read(twocrypto, 2, version)
    for (const [from, to, amountIn, amountOut] of [
      [1, 0, 500000000000000001n, 491586661400038591n],
      [0, 1, 1000000000000000000n, 1016967986681031868n]
    ] as const) {
      expect(outputOf(state, 2, [from, to, amountIn])).toEqual({ ok: true, amountIn, amountOut })
    }
  }
})

it("knows the first three-coin pools by their own token, with the maths of those", async () => {
  const { MATH: _maths, ...rest } = tricrypto
  const state = await read({ ...rest, token: 5n, future_A_gamma_time: 0n }, 3)
  expect(state?.triple).toMatchObject({ rule: "newton", supply: null })
  expect(outputOf(state, 3, [0, 1, 10n ** 18n]).ok).toBe(true)
})

it("quotes three coins until the pool's next event", async () => {
  const state = await read(tricrypto, 3)
  if (state === null) throw new Error("no state")
  const meaning = { kind: "PoolParameterSet", pool: POOL, name: "midFee" } as const
  const fee = eventOf({ ...meaning, index: null, value: 1n })
  const next = curveCryptoModel.fold(state, fee)
  const unknown = { ok: false, reason: "unknown-state" }
  expect(outputOf(next, 3, [0, 1, 10n ** 18n])).toEqual(unknown)
})

it("tells nothing of other maths, or where a number is missing", async () => {
  const { MATH: _maths, ...withoutMaths } = tricrypto
  expect(await read(tricrypto, 3, "v2.1.0")).toBeNull()
  expect(await read(twocrypto, 2, "v0.1.0")).toBeNull()
  expect(await read(withoutMaths, 3)).toBeNull()
  const { MATH: _other, ...first } = twocrypto
  expect(await read({ ...first, token: 5n }, 2)).toBeNull()
  for (const name of Object.keys(tricrypto)) {
    const { [name]: _missing, ...rest } = tricrypto as Contract
    expect(await read(rest, 3), name).toBeNull()
  }
})
