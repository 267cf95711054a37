/** The gate of Solana's status: what it claims of an hour, and what makes it take that back. */
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { FILE_GRADE } from "../../../src/domain/assurance.ts"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import type { Connection } from "../../../src/platform/duckdb.ts"
import { eventsOf } from "../../../streams/event-objects.ts"
import { type FoldedLane, foldLog } from "../../../test/support/folded-lane.ts"
import { MemoryLog } from "../../../test/support/memory-log.ts"
import { forkedMarket, routeChains } from "../../../test/support/route-world.ts"
import { random } from "../../../test/support/seed.ts"
import { opening, POOL, sealed, told as tell } from "../../../test/support/small-solana.ts"

const HOUR = 3600
const world = forkedMarket("gate", random("gate"), 60)
const chain = routeChains(world.market).find(({ key }) => key === "solana") as ChainConfig

interface Told {
  readonly at: number
  readonly ofFiles24h: boolean
  readonly contradicted24h: number
  readonly unread24h: number
  readonly liveHours: number
  readonly hourCheck: {
    readonly hour: number
    readonly hourlyDiff: number
    readonly candleDiff: number
  } | null
}

const ingest = (lane: FoldedLane): Effect.Effect<Told> =>
  lane.ask("solanaIngest", {}) as Effect.Effect<Told>

const change = (connection: Connection, table: string, set: string, where: string) =>
  Effect.gen(function* () {
    // rows stand in the base or in the tail of their table
    for (const name of [`${table}_rows`, `${table}_tail_rows`, table, `${table}_tail`]) {
      yield* Effect.ignore(connection.run(`UPDATE ${name} SET ${set} WHERE ${where}`))
    }
  })

/** A fresh lane, spoilt before anybody asks. */
const told = (spoil: (lane: FoldedLane) => Effect.Effect<void>, log = world.final) =>
  Effect.gen(function* () {
    const lane = yield* foldLog(chain, log)
    yield* spoil(lane)
    return yield* ingest(lane)
  }).pipe(Effect.scoped, Effect.runPromise)

describe("the recount of an hour", () => {
  it("finds the folds' sums and candles equal, of the newest hour that is whole", async () => {
    const { at, hourCheck } = await told(() => Effect.void)
    const hour = at - (at % HOUR) - HOUR
    expect(hourCheck).toEqual({ hour, hourlyDiff: 0, candleDiff: 0 })
  })

  it("finds a market whose trades were counted otherwise", async () => {
    const { hourCheck } = await told(({ connection }) =>
      change(connection, "market_hours", "trades = trades + 1", "trades > 0")
    )
    expect(hourCheck?.hourlyDiff).toBeGreaterThan(0)
    expect(hourCheck?.candleDiff).toBe(0)
  })

  it("finds candles that are not those of the prints", async () => {
    const { hourCheck } = await told(({ connection }) =>
      change(connection, "candles_1h", "h = h * 2", "n > 0")
    )
    expect(hourCheck?.hourlyDiff).toBe(0)
    expect(hourCheck?.candleDiff).toBeGreaterThan(0)
  })
})

/** The log as if a file had told all its blocks but the newest `own`. */
const asOfFiles = (own: number): MemoryLog => {
  const { segments } = world.final
  const log = new MemoryLog()
  for (const [i, { batch }] of segments.entries()) {
    const isOwn = i >= segments.length - own
    log.append(
      eventsOf(batch).map(event =>
        event.kind === "BlockSealed" && !isOwn ? { ...event, grade: FILE_GRADE } : event
      )
    )
  }
  return log
}

it("counts what a day quarantines, of the log alone", async () => {
  const none = new Uint8Array(0)
  const refused = (time: number, logIndex: number, reason: string) =>
    tell(time, logIndex, null, {
      ...{ kind: "LogQuarantined", address: POOL, topics: none, data: none, reason }
    })
  const bad = "vaults contradict the swap: vault V gained 1 more"
  const [first, last] = [1_789_000_000, 1_789_000_000 + 30 * HOUR]
  const log = new MemoryLog()
  for (const [i, time] of [first, last - 25 * HOUR, last - 23 * HOUR, last].entries()) {
    const start = i === 0 ? opening(first) : []
    const own = [refused(time, 4, bad), refused(time, 5, `${bad} still`), refused(time, 6, "short")]
    log.append([...start, ...own, sealed(time)])
  }
  expect(await told(() => Effect.void, log)).toMatchObject({
    ...{ at: last, contradicted24h: 4, unread24h: 2, isMuchUnread: true }
  })
  expect((await told(() => Effect.void)).contradicted24h).toBe(0)
})

describe("blocks of files, of which nothing shows what they lack", () => {
  const nothing = () => Effect.void

  it("are no live hours, and no whole one", async () => {
    const { ofFiles24h, liveHours, hourCheck } = await told(nothing, asOfFiles(0))
    expect([ofFiles24h, liveHours, hourCheck]).toEqual([true, 0, null])
  })

  it("count as little before blocks of a node", async () => {
    const { ofFiles24h, liveHours } = await told(nothing, asOfFiles(1))
    expect([ofFiles24h, liveHours]).toEqual([true, 0])
    expect((await told(nothing)).ofFiles24h).toBe(false)
  })

  it("are forgotten after a day of blocks of a node", async () => {
    const last = world.final.segments.map(({ header }) => header.lastBlockTime)
    const at = last.at(-1) ?? 0
    const since = last.find(time => time > at - 30 * HOUR) ?? 0
    const whole = await told(nothing)
    const { ofFiles24h, liveHours, hourCheck } = await told(
      nothing,
      asOfFiles(last.filter(time => time >= since).length)
    )
    expect([ofFiles24h, hourCheck]).toEqual([false, whole.hourCheck])
    const hours = Math.floor((at - (at % HOUR) - since) / HOUR)
    expect(liveHours).toBe(Math.min(whole.liveHours, hours))
  })
})
