/** Counts of wallets where the log names no sender, or those of some trades only. */
import { expect, it } from "vitest"
import {
  address,
  MEME,
  pool,
  reserves,
  swap,
  USDC,
  withPrices
} from "../../test/support/price-events.ts"

const START = 1_700_000_000 - (1_700_000_000 % 60)
const dollars = (whole: number) => BigInt(Math.round(whole * 1e6))
const asked = {
  ...{ token: MEME, pool: null, tf: "1m", from: null, to: null, limit: 10, fill: true },
  ...{ closed: false, raw: false, quote: "usd", fields: "buyers,sellers" }
}

/** A swap at second `at` of the first minute; `by` is who signed it. */
const trade = (at: number, isBuy: boolean, by?: string) => {
  const [meme, usd] = isBuy ? [-dollars(1), dollars(1)] : [dollars(1), -dollars(1)]
  const fact = swap(at - (1_700_000_000 - START), "a1", meme, usd)
  return by === undefined ? fact : { ...fact, recipient: by, by }
}

const opening = [pool(0, "a1", [MEME, USDC]), reserves(0, "a1", dollars(50_000), dollars(50_000))]

/** Start of the bucket in minutes, buyers, sellers. */
const counts = (answer: { readonly [field: string]: unknown }) =>
  (answer["candles"] as ReadonlyArray<Record<string, number | null>>)
    .filter(({ t }) => (t as number) >= START)
    .map(({ t, buyers, sellers }) => [((t as number) - START) / 60, buyers, sellers])

const UNNAMED = {
  fields: ["buyers", "sellers"],
  reason: "the log names no sender of any trade of 1 of the buckets"
}

it("are null of a candle whose trades name nobody, and of others what is known", async () => {
  const ann = address("71")
  const list = [
    ...opening,
    // minute 1: nobody is named
    ...[trade(70, true), trade(75, false)],
    // minute 3: one of two buyers is, and no seller
    ...[trade(190, true, ann), trade(195, true), trade(200, false)]
  ]
  await withPrices(list, async ({ ask }) => {
    for (const tf of ["1m", "30s"] as const) {
      const answer = await ask("candles", { ...asked, tf })
      const told = counts(answer).filter(([minute]) => (minute as number) >= 1)
      const half = tf === "30s" ? [[1.5, 0, 0]] : []
      const later = tf === "30s" ? [[2.5, 0, 0]] : []
      expect([tf, told]).toEqual([tf, [[1, null, null], ...half, [2, 0, 0], ...later, [3, 1, 0]]])
      expect(answer["unavailable"]).toEqual([UNNAMED])
    }
    const pooled = await ask("candles", { ...asked, token: null, pool: address("a1") })
    expect(counts(pooled).slice(-3)).toEqual([
      [1, null, null],
      [2, 0, 0],
      [3, 1, 0]
    ])
    const hour = await ask("candles", { ...asked, tf: "1h", fill: false })
    const [{ buyers, sellers } = { buyers: -1, sellers: -1 }] = hour["candles"] as ReadonlyArray<{
      readonly [field: string]: unknown
    }>
    expect([buyers, sellers]).toEqual([1, 0])
    expect(hour).not.toHaveProperty("unavailable")
  })
})
