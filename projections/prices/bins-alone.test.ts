/** A token that trades in bins of Meteora DLMM alone: its price, its candles, what a wallet made. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import { block, tapeOf } from "../../streams/solana/made-block.ts"
import {
  accountsOf,
  addressOf,
  callOf,
  made,
  payloadOf,
  telling
} from "../../streams/solana/made-transaction.ts"
import { meteoraDlmm } from "../../streams/solana/meteora-dlmm/venue.ts"
import type { Transaction } from "../../streams/solana/transaction.ts"
import { foldLog } from "../../test/support/folded-lane.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"

const [POOL, TOKEN, WALLET] = [addressOf(1), addressOf(2), addressOf(3)]
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const [VAULT_X, VAULT_Y] = [addressOf(6), addressOf(7)]
const STEP = 20
const FEE = 0.002

/** A trade of whole tokens within one bin, with a fee of 0.2 %; the vaults hold $40,000. */
const trade = (bin: number, isBuy: boolean, tokens: number): Transaction => {
  const price = (1 + STEP / 10_000) ** bin
  const raw = tokens * 1e6
  const paid = Math.round(isBuy ? (raw * price) / (1 - FEE) : raw)
  const fee = Math.ceil(paid * FEE)
  const got = Math.floor(isBuy ? (paid - fee) / price : (paid - fee) * price)
  const payload = payloadOf("516ce3becdd00ac4", 137, [
    [8, POOL],
    [72, BigInt.asUintN(32, BigInt(bin)), 4],
    [76, BigInt.asUintN(32, BigInt(bin)), 4],
    [80, paid],
    [88, got],
    [96, isBuy ? 0 : 1, 1],
    [97, fee],
    [113, 2_000_000n, 16]
  ])
  const accounts = { 0: POOL, 2: VAULT_X, 3: VAULT_Y, 6: TOKEN, 7: USDC, 10: WALLET }
  const by = callOf(meteoraDlmm, "f8c69e91e17587c8", accountsOf(16, accounts))
  const [x, y] = isBuy ? [-got, paid] : [paid, -got]
  const tokensAfter = {
    [VAULT_X]: [TOKEN, 90_000_000_000n - BigInt(x), 90_000_000_000n],
    [VAULT_Y]: [USDC, 40_000_000_000n - BigInt(y), 40_000_000_000n]
  } as const
  const instructions = [{ ...by, calls: [telling(meteoraDlmm, payload)] }]
  return { ...made({ instructions, tokens: tokensAfter }), feePayer: WALLET }
}

it("are as those of other tokens, at the price of the bin that a swap ended in", () =>
  Effect.gen(function* () {
    const log = new MemoryLog()
    log.append(tapeOf(block(7, [trade(-160, true, 1_000)]), block(8, [trade(-110, false, 400)])))
    const lane = yield* foldLog(solana, log)
    const { priceUsd, pools } = yield* lane.ask("explainPrice", { token: TOKEN })
    expect(priceUsd).toBeCloseTo(1.002 ** -110, 9)
    expect(pools).toMatchObject([{ dex: "meteora_dlmm", eligible: true, depthUsd: 40_000 }])
    const { candles } = yield* lane.ask("candles", {
      ...{ token: TOKEN, pool: null, tf: "1m", to: null, from: null, limit: 10, fields: "" },
      ...{ raw: false, quote: null }
    })
    // with the fee, as trades pay it
    expect(candles).toHaveLength(1)
    expect(candles[0].o).toBeCloseTo(1.002 ** -160 / (1 - FEE), 5)
    expect(candles[0].c).toBeCloseTo(1.002 ** -110 * (1 - FEE), 5)
    const { positions } = yield* lane.ask("walletPnl", { wallet: WALLET, days: 7 })
    const [made0] = positions
    const [cost, got] = [1.002 ** -160 / (1 - FEE), 1.002 ** -110 * (1 - FEE)]
    expect(made0.realizedPnlUsd).toBeCloseTo(400 * (got - cost), 2)
  }).pipe(Effect.scoped, Effect.runPromise))
