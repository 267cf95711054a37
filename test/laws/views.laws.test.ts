/**
 * What is read of a table is one thing: a lane's memory, the copies of it on the serving thread, and
 * DuckDB alone hold the same rows at every position, also after blocks were taken back.
 */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { projection } from "../../engine/projection.ts"
import { ask, type ReplicaView, rowsQuery } from "../../engine/query.ts"
import { copiedColumns } from "../../engine/replica/changed-rows.ts"
import { Replica } from "../../engine/replica/replica.ts"
import { type FoldSet, newFoldSet } from "../../engine/runner/fold-set.ts"
import { noSideLog } from "../../engine/runner/join-events.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { beginSending } from "../../engine/runner/sending.ts"
import { type AnyArray, strideOf } from "../../engine/store/column-set.ts"
import { openStore, type Store } from "../../engine/store/store.ts"
import { currentRows, offsetsOf, type TableDef } from "../../engine/store/table.ts"
import { allProjections } from "../../projections/all.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "../support/chain-config.ts"
import { marketBlock, newMarket } from "../support/market.ts"
import { MemoryLog, takingBack } from "../support/memory-log.ts"
import { random } from "../support/random.ts"
import { seed } from "../support/seed.ts"

const NAME = `${seed}/views`
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const STEPS = isLong ? 60 : 14
const SWAPS = 8
const DEEPEST = 4

const copied = allProjections.flatMap(({ tables }) => tables.filter(({ replica }) => replica))
const isSeries = ({ replica }: TableDef) => replica?.rows !== undefined

type Numbers = ReadonlyArray<number>

/** All that the copies hold: columns of tables, and the rows of each slot of those with buckets. */
const held = (view: ReplicaView) =>
  copied.map(def => {
    const { numbers, bytes } = copiedColumns(def)
    if (!isSeries(def)) {
      const count = view.count(def)
      const columns = [...numbers, ...bytes.map(({ name }) => name)].map(name => {
        const values = view.column(def as TableDef<Record<string, { type: "f64" }>>, name)
        const stride = strideOf(def.columns[name]?.type ?? "f64")
        return [name, Array.from(values.subarray(0, count * stride))] as const
      })
      return { name: def.name, count, columns: Object.fromEntries(columns) }
    }
    const series: Array<{ slot: number; from: number; rows: Array<Numbers> }> = []
    for (let slot = 0, missing = 0; missing < MOST_MISSING; slot++) {
      const ring = view.series(def, slot)
      if (ring === undefined) missing++
      else {
        const rows: Array<Numbers> = []
        const width = Object.keys(offsetsOf(def)).length + 1
        ring.each(0, Number.MAX_SAFE_INTEGER, (values, at) => {
          rows.push(Array.from(values.subarray(at, at + width)))
        })
        series.push({ slot, from: ring.from, rows })
      }
    }
    return { name: def.name, series }
  })

/** Slots without rows in a row after which no more are looked for. */
const MOST_MISSING = 64

const probe = rowsQuery("allHeld", () => Effect.succeed(null), held)
const watcher = projection({
  name: "watcher",
  version: 1,
  tables: [],
  uses: [],
  create: () => ({ out: null, apply: () => undefined }),
  queries: [probe]
})

interface Slots {
  readonly name: string
  readonly count: number
  readonly columns: { readonly [name: string]: ReadonlyArray<unknown> }
}

/** The present row of each slot, by column; of the first `most` slots. */
const slotsOf = ({ states }: FoldSet, most = (_: number) => Number.POSITIVE_INFINITY) =>
  states.map(({ def, count, columns }, place): Slots => {
    const arrays = columns as { readonly [name: string]: AnyArray }
    const { name, columns: defs } = def as TableDef
    const slots = Math.min(count, most(place))
    const values = Object.entries(defs).map(([column, { type }]) => {
      const size = slots * (type === "text" ? 1 : strideOf(type))
      const array = (arrays[column] as AnyArray).slice(0, size) as ArrayLike<unknown>
      return [column, Array.from<unknown>(array)] as const
    })
    return { name, count: slots, columns: Object.fromEntries(values) }
  })

const EMPTY: ReadonlySet<unknown> = new Set([0, Number.NaN, null, NONE, NULL_I32])

/** What is written in slots that only one of two fold sets has. */
const writtenBeyond = ({ states }: FoldSet, counts: ReadonlyArray<number>) =>
  states.flatMap(({ def, count, columns }, place) => {
    const { name, key, columns: defs } = def as TableDef
    return Object.entries(defs).flatMap(([column, { type }]) => {
      if (column === key[0]) return []
      const stride = type === "text" ? 1 : strideOf(type)
      const array = (columns as { readonly [name: string]: AnyArray })[column] as AnyArray
      const rest = array.slice((counts[place] as number) * stride, count * stride)
      return Array.from<unknown>(rest as ArrayLike<unknown>)
        .filter(value => !EMPTY.has(value))
        .map(value => `${name}.${column}: ${value}`)
    })
  })

/** Fails where a copy has other rows than the lane, or, of a table with buckets, than DuckDB. */
const copiesAre = (replica: Replica, store: Store, lane: ReadonlyArray<Slots>, step: string) =>
  Effect.gen(function* () {
    const answer = replica.answer(ask(probe, {}))
    if (answer?.ok !== true) throw new Error("the copies answer nothing")
    const copies = JSON.parse(new TextDecoder().decode(answer.body)) as ReturnType<typeof held>
    for (const copy of copies) {
      const def = copied.find(({ name }) => name === copy.name) as TableDef
      const what = `${step}: the copy of ${copy.name}`
      for (const { slot, from, rows } of copy.series ?? []) {
        const names = [def.key[1] as string, ...Object.keys(offsetsOf(def))]
        const range = `${def.key[0]} = ${slot} AND ${def.key[1]} >= ${from}`
        const found = yield* store.writer.rows(
          `SELECT ${names.join(", ")} FROM ${currentRows(def, range)} ORDER BY ${def.key[1]}`
        )
        const numberOf = (value: unknown) => (value === null ? null : Number(value))
        const wanted = found.map(row => names.map(name => numberOf(row[name])))
        expect(rows, `${what}, slot ${slot}`).toEqual(asJson(wanted))
      }
      if (copy.columns === undefined) continue
      const own = lane.find(({ name }) => name === copy.name)
      expect(copy.count, what).toBe(own?.count)
      for (const [name, values] of Object.entries(copy.columns)) {
        expect(values, `${what}, ${name}`).toEqual(asJson(own?.columns[name]))
      }
    }
  })

it("lane, copies and tables hold the same rows, also after rollbacks", () =>
  Effect.gen(function* () {
    const [usd, native] = testChain.anchors
    const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "")
    const r = random(NAME)
    const log = new MemoryLog()
    const folds = newFoldSet(testChain, allProjections)
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const replica = new Replica(testChain, [...allProjections, watcher])
    const send = (message: Parameters<typeof replica.receive>[0]) => replica.receive(message)
    const core = yield* loadCore(store, folds, log.read, noSideLog, { send })
    beginSending(core)
    const chain: Array<ReadonlyArray<Event>> = []
    let rollbacks = 0
    for (let step = 0; step < STEPS; step++) {
      const depth = step % 4 === 3 ? 1 + r.int(Math.min(DEEPEST, chain.length - 1)) : 0
      const known = new Set<string>()
      const parent = chain.at(-1 - depth)?.[0]?.block
      const number = (parent?.number ?? 0) + 1
      const block = marketBlock(
        ...([NAME, market, `branch ${step}`, number, parent?.hash ?? null, SWAPS, known] as const)
      )
      const to = log.segments.findLast(({ header }) => header.lastBlockHash === parent?.hash)
      const last = log.segments.at(-1)
      const [first] = block
      if (depth > 0 && to !== undefined && last !== undefined && first !== undefined) {
        rollbacks++
        log.append([takingBack(to.header, last.header, first.block), ...block])
        chain.splice(chain.length - depth)
      } else log.append(block)
      chain.push(block)
      const segment = log.segments.at(-1)
      if (segment === undefined) throw new Error("nothing was appended")
      yield* applySegment(core, segment)
      yield* commitPending(core)

      const fresh = newFoldSet(testChain, allProjections)
      yield* loadCore(store, fresh, log.read, noSideLog)
      const lane = slotsOf(folds)
      // a start gives all tokens and pools a row, a fold only those that something happened to
      const counts = lane.map(({ count }) => count)
      expect(
        slotsOf(fresh, place => counts[place] ?? 0),
        `step ${step}: DuckDB`
      ).toEqual(lane)
      expect(writtenBeyond(fresh, counts), `step ${step}: rows of DuckDB alone`).toEqual([])

      expect(replica.answer(ask(probe, {}))?.seq).toBe(log.end.seq)
      yield* copiesAre(replica, store, lane, `step ${step}`)
    }
    expect(rollbacks).toBe(Math.floor(STEPS / 4))
  }).pipe(Effect.scoped, Effect.runPromise))

/** What a value is after it was told as JSON: NaN is null. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null))
