/** The candles of every token over all its pools, a minute and an hour wide. */
import type { FoldContext } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { PricedSwaps } from "../prices/priced-swaps.ts"
import { PrintBucket } from "./bucket.ts"
import { OpenBuckets } from "./open-buckets.ts"
import type { SwapHash } from "./swap-hash.ts"
import { bareHoursTable, bareMinutesTable, hourCandlesTable, minuteCandlesTable } from "./tables.ts"

export class TokenCandles {
  private readonly minutes: OpenBuckets
  private readonly hours: OpenBuckets
  private readonly bareMinutes: OpenBuckets
  private readonly bareHours: OpenBuckets
  private readonly print = new PrintBucket()

  constructor({ state }: FoldContext) {
    this.minutes = new OpenBuckets(state(minuteCandlesTable), 60)
    this.hours = new OpenBuckets(state(hourCandlesTable), 3600)
    this.bareMinutes = new OpenBuckets(state(bareMinutesTable), 60)
    this.bareHours = new OpenBuckets(state(bareHoursTable), 3600)
  }

  /** Takes what both tokens of a swap see of it: each side by itself. */
  take(swaps: PricedSwaps, i: number, hash: SwapHash): void {
    this.print.setHash(hash)
    if (swaps.token0[i] !== NONE) {
      this.setPrint(swaps, i, 0)
      this.add(swaps.token0[i] as number, swaps.ts[i] as number, Number.isNaN(swaps.raw0[i]))
    }
    if (swaps.token1[i] !== NONE) {
      this.setPrint(swaps, i, 1)
      this.add(swaps.token1[i] as number, swaps.ts[i] as number, Number.isNaN(swaps.raw1[i]))
    }
  }

  /** Takes the price of a print that was counted before its token's decimals were known. */
  takeLate(late: PricedSwaps, i: number): void {
    this.setPrint(late, i, 0)
    if (!((this.print.dollars.n[0] as number) > 0)) return
    const token = late.token0[i] as number
    const ts = late.ts[i] as number
    this.minutes.addPrice(token, ts, this.print)
    this.hours.addPrice(token, ts, this.print)
  }

  private setPrint(swaps: PricedSwaps, i: number, side: 0 | 1): void {
    const { print } = this
    const isOutlier = (side === 0 ? swaps.outlier0 : swaps.outlier1)[i] as number
    const price = (side === 0 ? swaps.price0 : swaps.price1)[i] as number
    const usdMicro = swaps.usdMicro[i] as number
    const bought0 = swaps.bought0[i] as number
    print.setSide(side === 0 ? bought0 : 1 - bought0, isOutlier)
    print.setDollars(isOutlier === 0 && usdMicro >= 0 ? price : Number.NaN, usdMicro)
  }

  /** `isScaled`: the token's decimals were known. */
  private add(token: number, ts: number, isScaled: boolean): void {
    const { print } = this
    if (isScaled) {
      this.minutes.add(token, ts, print)
      this.hours.add(token, ts, print)
    } else {
      this.bareMinutes.add(token, ts, print)
      this.bareHours.add(token, ts, print)
    }
  }

  /** After a start or a rollback there are so many tokens. */
  reloaded(tokens: number): void {
    for (const one of [this.minutes, this.hours, this.bareMinutes, this.bareHours]) {
      one.truncate(tokens)
    }
  }
}
