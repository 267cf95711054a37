import { Effect } from "effect"
import { expect, it } from "vitest"
import { plainCandles } from "../../test/support/plain-candles.ts"
import {
  address,
  pool,
  reserves as pooled,
  seen,
  swap,
  USDC,
  withPrices
} from "../../test/support/price-events.ts"
import {
  opening,
  openSmallLane,
  reserves,
  sale,
  sealed,
  TOKEN
} from "../../test/support/small-lane.ts"

/** 03:00:00 of a day, the start of an hour and of a minute. */
const START = 1_699_930_800
const DAY = 86_400

const events = [...opening(START), reserves(START, 10_000, 20_000), sale(START, 1, 2_000_000)]
const candle = { t: START, o: 2, h: 2, l: 2, c: 2, v: 2, n: 1 }

/** Pages of the token's candles: from, to and the candles, or the refusal. */
const read = (asks: ReadonlyArray<{ readonly [name: string]: string | number | boolean }>) =>
  Effect.gen(function* () {
    const lane = yield* openSmallLane
    yield* lane.commit([...events, sealed(START)])
    return yield* Effect.forEach(asks, ask => {
      const given = {
        token: TOKEN,
        tf: "1m",
        from: null,
        to: null,
        limit: 300,
        fill: false,
        ...plainCandles,
        ...ask
      }
      return Effect.map(lane.ask("candles", given), answer =>
        answer.candles === undefined ? answer : [answer.from, answer.to, answer.candles]
      )
    })
  }).pipe(Effect.scoped, Effect.runPromise)

it("answers an empty page for a range in which no bucket starts", async () => {
  const next = START + 60
  const pages = await read([
    { from: START },
    { from: next },
    { from: next, fill: true },
    { from: next + 1 },
    { from: START + 121, to: START + 150 },
    { from: START + 1, to: START + 2, tf: "1w" },
    { from: 253_402_300_799 }
  ])
  expect(pages).toEqual([
    [START, next, [candle]],
    [next, next, []],
    [next, next, []],
    [next + 60, next + 60, []],
    [START + 180, START + 180, []],
    [1_700_438_400, 1_700_438_400, []],
    [253_402_300_800, 253_402_300_800, []]
  ])
})

it("refuses an end that is not after its start", async () => {
  const refusal = (from: number, to: number) => ({
    status: 400,
    code: "INVALID_PARAMS",
    message: `from must lie before to: ${from} is not before ${to}`
  })
  const [same, reversed, inOne] = await read([
    { from: START, to: START },
    { from: START + 600, to: START },
    // one bucket, if both were snapped before
    { from: START + 30, to: START + 30 }
  ])
  expect(same).toEqual(refusal(START, START))
  expect(reversed).toEqual(refusal(START + 600, START))
  expect(inOne).toEqual(refusal(START + 30, START + 30))
})

it("begins in 1970 at the earliest", async () => {
  const monday = 4 * DAY
  const pages = await read([
    { tf: "1w", limit: 5000 },
    { tf: "1w", limit: 5000, to: 0 },
    { tf: "1d", limit: 5000, to: DAY }
  ])
  expect(pages).toEqual([
    [monday, 1_700_438_400, [{ ...candle, t: 1_699_833_600 }]],
    [monday, monday, []],
    [0, DAY, []]
  ])
})

it("says why a token that trades has none: it has told no decimals", async () => {
  const bare = address("66")
  const list = [
    seen(0, bare, null),
    pool(0, "b1", [bare, USDC]),
    pooled(0, "b1", 10n ** 12n, 10n ** 11n),
    swap(10, "b1", -(10n ** 7n), 10n ** 6n)
  ]
  const asked = { tf: "1h", from: null, to: null, limit: 10 }
  await withPrices(list, async ({ ask }) => {
    const rich = { ...plainCandles, closed: true, raw: true, fields: "trades" }
    for (const more of [plainCandles, rich]) {
      for (const fill of [false, true]) {
        expect(await ask("candles", { ...asked, ...more, token: bare, fill })).toMatchObject({
          candles: [],
          warnings: [expect.stringContaining("the token has told no decimals")]
        })
      }
      const told = await ask("candles", { ...asked, ...more, token: USDC, fill: false })
      expect(told).not.toHaveProperty("warnings")
    }
  })
})
