/**
 * Folds swaps into candles: of every token over all its pools, a minute and an hour wide, and of
 * every pair of a pool, a minute wide, in dollars and in quote tokens. A pool of more than two
 * tokens has a series for each pair that trades in it.
 */

import type { FoldContext, Slice } from "../../engine/projection.ts"
import { TX_BYTES } from "../../src/domain/ids.ts"
import { SwapHash } from "../../src/math/swap-hash.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { type Markets, markets } from "../markets/output.ts"
import { type Prices, pricesOutput } from "../prices/output.ts"
import type { LatePrint } from "../prices/parked.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { tokens } from "../tokens/output.ts"
import { PrintBucket } from "./bucket.ts"
import { OpenBuckets } from "./open-buckets.ts"
import {
  bareHoursTable,
  bareMinutesTable,
  hourCandlesTable,
  minuteCandlesTable,
  pairMinutesTable
} from "./tables.ts"

/** Raw units of each token that a print must have moved to tell a ratio, as for dollars. */
export const MIN_RAW_UNITS = 1_000

/** In place of the id of a transaction that is not known. */
const NO_TX = new Uint8Array(TX_BYTES)

/** Hashes the swap of an event. */
const hashSwap = (hash: SwapHash, batch: EventBatch, event: number, block: number): void => {
  const logIndex = batch.logIndex.values[event] as number
  const tx = batch.tx.values[event] as number
  const { data, width } = batch.txs.hash
  if (tx === NONE) hash.take(NO_TX, 0, width, block, logIndex)
  else hash.take(data, tx * width, (tx + 1) * width, block, logIndex)
}

/** Whether enough of both tokens moved for a ratio that rounding does not shift. */
const isPrecise = (batch: EventBatch, event: number): boolean => {
  const c = batch.columns.SwapExecuted
  const row = batch.row.values[event] as number
  const net0 = Math.abs(c.amount0Out.toNumber(row) - c.amount0In.toNumber(row))
  const net1 = Math.abs(c.amount1Out.toNumber(row) - c.amount1In.toNumber(row))
  return net0 >= MIN_RAW_UNITS && net1 >= MIN_RAW_UNITS
}

export class CandleFold {
  private readonly minutes: OpenBuckets
  private readonly hours: OpenBuckets
  private readonly bareMinutes: OpenBuckets
  private readonly bareHours: OpenBuckets
  private readonly pairMinutes: OpenBuckets
  private readonly tokenCount: () => number
  private readonly markets: Markets
  private readonly baseOf: Prices["baseOf"]
  private readonly hash = new SwapHash()
  private readonly print = new PrintBucket()

  constructor({ state, output }: FoldContext) {
    this.minutes = new OpenBuckets(state(minuteCandlesTable), 60)
    this.hours = new OpenBuckets(state(hourCandlesTable), 3600)
    this.bareMinutes = new OpenBuckets(state(bareMinutesTable), 60)
    this.bareHours = new OpenBuckets(state(bareHoursTable), 3600)
    this.pairMinutes = new OpenBuckets(state(pairMinutesTable), 60)
    this.tokenCount = output(tokens).count
    this.markets = output(markets)
    this.baseOf = output(pricesOutput).baseOf
  }

  /** Takes the swap at a place: each of its tokens sees it by itself, and their pair. */
  take({ batch }: Slice, swaps: PricedSwaps, i: number): void {
    const { hash, print } = this
    hashSwap(hash, batch, swaps.event[i] as number, swaps.block[i] as number)
    print.setHash(hash)
    const token0 = swaps.token0[i] as number
    const token1 = swaps.token1[i] as number
    const ts = swaps.ts[i] as number
    if (token0 !== NONE) {
      this.see(swaps, i, 0)
      this.addToToken(token0, ts, Number.isNaN(swaps.raw0[i]))
    }
    if (token1 !== NONE) {
      this.see(swaps, i, 1)
      this.addToToken(token1, ts, Number.isNaN(swaps.raw1[i]))
    }
    if (token0 !== NONE && token1 !== NONE) this.takePair(batch, swaps, i)
  }

  /** Takes the price of a print that was counted before its token's decimals were known. */
  takeLate({ token, ts, bought, outlier, price, usdMicro }: LatePrint): void {
    this.print.setSide(bought, outlier)
    this.print.setDollars(outlier === 0 && usdMicro >= 0 ? price : Number.NaN, usdMicro)
    if (!((this.print.dollars.n[0] as number) > 0)) return
    this.minutes.addPrice(token, ts, this.print)
    this.hours.addPrice(token, ts, this.print)
  }

  /** Makes the print what one side sees of a swap. */
  private see(swaps: PricedSwaps, i: number, side: 0 | 1): void {
    const { print } = this
    const isOutlier = (side === 0 ? swaps.outlier0 : swaps.outlier1)[i] as number
    const price = (side === 0 ? swaps.price0 : swaps.price1)[i] as number
    const usdMicro = swaps.usdMicro[i] as number
    const bought0 = swaps.bought0[i] as number
    print.setSide(side === 0 ? bought0 : 1 - bought0, isOutlier)
    print.setDollars(isOutlier === 0 && usdMicro >= 0 ? price : Number.NaN, usdMicro)
  }

  /** `isScaled`: the token's decimals were known. */
  private addToToken(token: number, ts: number, isScaled: boolean): void {
    const { print } = this
    if (isScaled) {
      this.minutes.add(token, ts, print)
      this.hours.add(token, ts, print)
    } else {
      this.bareMinutes.add(token, ts, print)
      this.bareHours.add(token, ts, print)
    }
  }

  private takePair(batch: EventBatch, swaps: PricedSwaps, i: number): void {
    const pair = this.markets.marketOf[i] as number
    const { token0, token1 } = this.markets.index.markets.columns
    const base = this.baseOf(token0[pair] as number, token1[pair] as number)
    const baseIs0 = base === swaps.token0[i]
    const baseAmount = (baseIs0 ? swaps.amount0 : swaps.amount1)[i] as number
    const quoteAmount = (baseIs0 ? swaps.amount1 : swaps.amount0)[i] as number
    // dollars that tell a price are of enough units
    const isEnough =
      (baseIs0 ? swaps.outlier0 : swaps.outlier1)[i] === 0 &&
      (!Number.isNaN(swaps.dollars[i]) || isPrecise(batch, swaps.event[i] as number))
    this.see(swaps, i, baseIs0 ? 0 : 1)
    this.print.setRatio(isEnough ? quoteAmount / baseAmount : Number.NaN, quoteAmount)
    this.pairMinutes.add(pair, swaps.ts[i] as number, this.print)
  }

  /** After a start or a rollback there are so many tokens and pairs. */
  reloaded(): void {
    for (const one of [this.minutes, this.hours, this.bareMinutes, this.bareHours]) {
      one.truncate(this.tokenCount())
    }
    this.pairMinutes.truncate(this.markets.index.markets.count)
  }
}
