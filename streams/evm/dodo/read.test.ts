/**
 * Reads of a pool from answers in the layouts of DODOEX/contractV2 (`DSPStorage.sol`,
 * `DSPTrader.sol`), beside the published swaps of the same state.
 */
import { expect, it } from "vitest"
import { readState } from "../../../test/support/read-state.ts"
import type { StateAnswer, StateCall } from "../../venue.ts"
import { marketModel } from "./pool.ts"
import { marketStateRead } from "./read.ts"

const POOL = `0x${"d0".repeat(20)}`
const facts = {
  pool: POOL,
  tokens: [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`],
  ...{ fee: null, tickSpacing: null, decimals: [18, 6] }
}

// KyberNetwork/kyberswap-dex-lib, dodo/dsp/pool_simulator_test.go: Arbitrum's block 215792414.
const told = {
  ...{ lpFee: 80000000000000n, mtFee: 20000000000000n, i: 3723935145n, k: 100000000000000n },
  ...{ rState: 1n, baseTarget: 270192202826890n, quoteTarget: 1005850n },
  ...{ baseReserve: 33336489800302n, quoteReserve: 1888512n }
}
const { i, k, baseReserve, quoteReserve, baseTarget, quoteTarget, rState } = told

type Answers = { readonly [name: string]: StateAnswer }

const contract: Answers = {
  getPMMStateForCall: [i, k, baseReserve, quoteReserve, baseTarget, quoteTarget, rState],
  _I_: [i],
  getUserFeeRate: [told.lpFee, told.mtFee]
}

/** What a pool of this state pays, and something else by `off`. */
const paid = (name: string, amount: bigint, off: bigint): StateAnswer => {
  const tokenIn = name === "querySellBase" ? 0 : 1
  const state = { pool: POOL, tokens: facts.tokens, told }
  const quote = marketModel.quote(state, facts, tokenIn, 1 - tokenIn, amount)
  return quote.ok ? [quote.amountOut + off, 0n] : null
}

const read = (answers: Answers, off = 0n) => {
  const known = marketModel.initial(facts)
  const question = { facts, factory: null, known, time: 1_716_000_000 }
  return readState(marketStateRead, question, (to: string, { abi, args = [] }: StateCall) => {
    expect(to).toBe(POOL)
    const name = abi.slice("function ".length, abi.indexOf("("))
    return name in answers ? (answers[name] as StateAnswer) : paid(name, args[1] ?? 0n, off)
  })
}

it("tells a pool that quotes the published swaps", async () => {
  const state = await read(contract)
  expect(state).toEqual({ pool: POOL, tokens: facts.tokens, told })
  if (state === null) throw new Error("no state")
  expect(marketModel.quote(state, facts, 0, 1, 10n ** 16n)).toEqual({
    ...{ ok: true, amountIn: 10n ** 16n, amountOut: 1888321n }
  })
  expect(marketModel.quote(state, facts, 1, 0, 10n ** 7n)).toEqual({
    ...{ ok: true, amountIn: 10n ** 7n, amountOut: 33330403871110n }
  })
})

it("tells nothing of a pool that pays otherwise, asks an oracle, or is of V1", async () => {
  expect(await read(contract, 1n)).toBeNull()
  expect(await read({ ...contract, _I_: [i + 1n] })).toBeNull()
  expect(await read({ ...contract, _I_: null })).toBeNull()
  expect(await read({ ...contract, getUserFeeRate: null })).toBeNull()
  expect(await read({ ...contract, getPMMStateForCall: null })).toBeNull()
  expect(await read({ ...contract, getUserFeeRate: [told.lpFee, 0n] })).toBeNull()
})
