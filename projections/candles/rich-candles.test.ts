import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { hexIds } from "../../src/domain/ids.ts"
import {
  type OracleOptions,
  type OraclePrint,
  oracleCandles,
  oracleHash,
  oraclePrints
} from "../../test/support/candle-oracle.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { type FoldedLane, foldLog, withOutliers } from "../../test/support/folded-lane.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { random, seed } from "../../test/support/seed.ts"
import { pools } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { CANDLE_FIELDS } from "./candle.ts"
import { frameOf } from "./time-frame.ts"

const FRAMES = ["1s", "5s", "15s", "30s", "1m", "5m", "15m", "1h", "4h", "1d", "1w"]
const isLong = process.env["SWAPTAPE_LONG"] === "1"

/** Some of the frames, other ones for each number. */
const framesOf = (number: number) => FRAMES.filter((_, i) => isLong || (i + number) % 4 === 0)

const FIELDS = CANDLE_FIELDS.filter(field => field !== "final")

const plain = {
  ...{ token: null, pool: null, from: 0, to: null, limit: 4_000_000_000, fill: false },
  ...{ closed: false, raw: false, quote: "usd", fields: FIELDS.join(",") }
}

/** Blocks of seconds and of weeks apart. */
const marketLog = (name: string, blocks: number): MemoryLog => {
  const [usd, native] = testChain.anchors
  const market = newMarket(name, usd?.address ?? "", native?.address ?? "", 4)
  const r = random(name)
  const log = new MemoryLog()
  const known = new Set<string>()
  let block = 0
  for (let i = 0; i < blocks; i++) {
    block += r.pick([1, 1, 1, 2, 9, 400, 20_000])
    log.append(marketBlock(name, market, "main", block, null, r.integer(1, 12), known))
  }
  return log
}

/** The lane of a market with outliers, and all its prints. */
const openWorld = Effect.gen(function* () {
  const lane = yield* foldLog(testChain, marketLog(`${seed}/rich`, 80), withOutliers(7))
  return { lane, prints: yield* oraclePrints(lane.connection) }
})

const scope = Scope.makeUnsafe()
let world: Effect.Success<typeof openWorld>
beforeAll(async () => {
  world = await Effect.runPromise(openWorld.pipe(Scope.provide(scope)))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const tokenAddress = (lane: FoldedLane, token: number): string => {
  const { address } = lane.output(tokens).columns()
  return hexIds.account(address, token * 32)
}

const idsOf = (prints: ReadonlyArray<OraclePrint>, key: "token" | "pool") => [
  ...new Set(prints.map(print => print[key]))
]

/** Sums of doubles depend on their order in the last place. */
const expectSame = (
  found: ReadonlyArray<{ readonly v: number }>,
  expected: ReadonlyArray<{ readonly v: number }>,
  what: string
) => {
  const parts = (list: ReadonlyArray<{ readonly v: number }>) => list.map(one => ({ ...one, v: 0 }))
  expect(parts(found), what).toEqual(parts(expected))
  found.forEach(({ v }, i) => {
    const other = expected[i]?.v ?? Number.NaN
    expect(Math.abs(v - other), what).toBeLessThanOrEqual(Math.abs(other) * 1e-12)
  })
}

describe("rich candles", () => {
  it("equal plain code over the tape, of every token and time frame, with outliers and without", () =>
    Effect.gen(function* () {
      const { lane, prints } = world
      let compared = 0
      for (const token of idsOf(prints, "token")) {
        const own = prints.filter(print => print.token === token)
        const address = tokenAddress(lane, token)
        for (const tf of framesOf(token)) {
          for (const raw of [false, true]) {
            const { candles } = yield* lane.ask("candles", {
              ...plain,
              token: address,
              tf,
              raw
            })
            const expected = oracleCandles(own, { seconds: frameOf(tf).seconds, raw })
            expect(candles, `${tf} of ${token}, raw ${raw}`).toEqual(expected)
            compared += candles.length
          }
        }
      }
      expect(compared).toBeGreaterThan(100)
    }).pipe(Effect.runPromise))

  it("equal plain code over the tape, of every pool, in dollars and in its quote token", () =>
    Effect.gen(function* () {
      const { lane, prints } = world
      const { scale } = lane.output(tokens)
      const isAnchor = (token: number) =>
        testChain.anchors.findIndex(one => one.address === tokenAddress(lane, token))
      for (const pool of idsOf(prints, "pool")) {
        const all = prints.filter(print => print.pool === pool)
        // no anchor, or the lesser one
        const [base] = idsOf(all, "token").sort(
          (a, b) => (isAnchor(b) === -1 ? 9 : isAnchor(b)) - (isAnchor(a) === -1 ? 9 : isAnchor(a))
        ) as [number]
        const own = all.filter(print => print.token === base)
        const id = lane.output(pools).idText(pool)
        const ratio = { scale: scale(base), otherScale: scale(own[0]?.other as number) }
        for (const [i, tf] of framesOf(pool).entries()) {
          const raw = i % 2 === pool % 2
          const seconds = frameOf(tf).seconds
          const options: ReadonlyArray<readonly [string, OracleOptions]> = [
            ["usd", { seconds, raw }],
            ["token", { seconds, raw, ratio }]
          ]
          for (const [quote, option] of options) {
            const answer = yield* lane.ask("candles", { ...plain, pool: id, tf, raw, quote })
            expect(answer).toMatchObject({ token: tokenAddress(lane, base), pool: id, quote })
            expectSame(
              answer.candles,
              oracleCandles(own, option),
              `${tf} of pool ${pool} in ${quote}`
            )
          }
        }
      }
    }).pipe(Effect.runPromise))

  it("are the fold of any lower frame", () =>
    Effect.gen(function* () {
      const { lane, prints } = world
      const steps = ["1s:5s", "5s:15s", "15s:30s", "30s:1m", "1m:5m", "5m:15m", "15m:1h"].concat([
        ...["1h:4h", "4h:1d", "1d:1w", "1m:1w"]
      ])
      for (const token of idsOf(prints, "token")) {
        const ask = (tf: string) =>
          lane.ask("candles", { ...plain, token: tokenAddress(lane, token), tf })
        for (const step of steps.filter((_, i) => isLong || (i + token) % 3 === 0)) {
          const [low = "", high = ""] = step.split(":")
          const { candles } = yield* ask(low)
          const folded = foldUp(candles, frameOf(high).seconds)
          const wider = (yield* ask(high)).candles as ReadonlyArray<Lower>
          expect(
            wider.map(({ t, o, h, l, c, n, v, buyVol }) => ({ t, o, h, l, c, n, v, buyVol })),
            step
          ).toEqual(folded)
        }
      }
    }).pipe(Effect.runPromise))
})

interface Lower {
  readonly t: number
  readonly o: number
  readonly h: number
  readonly l: number
  readonly c: number
  readonly n: number
  readonly v: number
  readonly buyVol: number
}

const micro = (dollars: number): number => Math.round(dollars * 1e6)

const foldUp = (list: ReadonlyArray<Lower>, seconds: number): ReadonlyArray<Lower> => {
  const origin = seconds === 604_800 ? 4 * 86_400 : 0
  const out: Array<Lower> = []
  for (const one of list) {
    const t = Math.floor((one.t - origin) / seconds) * seconds + origin
    const open = out[out.length - 1]
    if (open?.t !== t) out.push({ ...pick(one), t })
    else {
      out[out.length - 1] = {
        ...{ t, o: open.o, h: Math.max(open.h, one.h), l: Math.min(open.l, one.l), c: one.c },
        n: open.n + one.n,
        v: (micro(open.v) + micro(one.v)) / 1e6,
        buyVol: (micro(open.buyVol) + micro(one.buyVol)) / 1e6
      }
    }
  }
  return out
}

const pick = ({ t, o, h, l, c, n, v, buyVol }: Lower): Lower => ({ t, o, h, l, c, n, v, buyVol })

/** A swap as a reader of the proof has it. */
interface Proven {
  readonly tx: string
  readonly block: number
  readonly logIndex: number
  readonly side: string
  readonly usd: number
  readonly priceUsd: number
  readonly priceQuote: number
  readonly counted: boolean
  readonly reason: string | null
}

describe("the proof of a candle", () => {
  it("lets its reader compute the candle and its hash, page by page", () =>
    Effect.gen(function* () {
      const { lane, prints } = world
      const r = random(`${seed}/proof/asks`)
      const reasons = new Set<string | null>()
      for (let i = 0; i < 40; i++) {
        const print = r.pick(prints)
        const tf = r.pick(FRAMES)
        const isPool = r.boolean()
        const pool = lane.output(pools).idText(print.pool)
        const asked = isPool
          ? { token: null, pool, quote: r.pick(["usd", "token"]) }
          : { token: tokenAddress(lane, print.token), pool: null, quote: "usd" }
        const swaps: Array<Proven> = []
        const rest = { tf, t: print.ts, limit: r.integer(1, 40) }
        let after: ReadonlyArray<number> | null = null
        let proof: { [name: string]: never } = {}
        do {
          const cursor = { afterBlock: after?.[0] ?? null, afterLogIndex: after?.[1] ?? null }
          proof = yield* lane.ask("candleProof", { ...asked, ...rest, ...cursor })
          swaps.push(...(proof["swaps"] as unknown as ReadonlyArray<Proven>))
          const next = proof["nextAfter"] as unknown as string | null
          after = next === null ? null : next.split(":").map(Number)
        } while (after !== null)
        for (const { reason } of swaps) reasons.add(reason)
        const counted = swaps.filter(swap => swap.counted)
        const inQuote = asked.quote === "token"
        const told = counted.map(swap => (inQuote ? swap.priceQuote : swap.priceUsd))
        const candle = proof["candle"] as unknown as Lower | null
        expect(proof["hash"]).toBe(oracleHash(swaps))
        expect(proof["trades"]).toBe(swaps.length)
        expect(proof["buys"]).toBe(swaps.filter(swap => swap.side === "buy").length)
        expect(proof["filtered"]).toBe(swaps.filter(swap => swap.reason === "outlier").length)
        if (candle === null) {
          expect(told).toEqual([])
          continue
        }
        expect([candle.o, candle.h, candle.l, candle.c, candle.n]).toEqual([
          ...[told[0], Math.max(...told), Math.min(...told), told[told.length - 1]],
          told.length
        ])
        const dollars = counted.reduce((sum, swap) => sum + micro(swap.usd), 0) / 1e6
        if (!inQuote) expect(candle.v).toBe(dollars)
        const width = frameOf(tf).seconds
        const window = { from: candle.t, to: candle.t + width, limit: 1 }
        const page = yield* lane.ask("candles", { ...plain, ...asked, tf, ...window })
        expect(page.candles[0]).toMatchObject({
          ...candle,
          hash: proof["hash"] as unknown as string
        })
      }
      expect(reasons).toContain("outlier")
      expect(reasons).toContain(null)
    }).pipe(Effect.runPromise))
})
