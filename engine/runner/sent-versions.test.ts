import { Effect } from "effect"
import { expect, it } from "vitest"
import { testChain } from "../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { ReplicaFeed } from "../replica/feed.ts"
import type { ToReplica } from "../replica/messages.ts"
import { keptFrom } from "../store/retention.ts"
import { SlotTable } from "../store/slot-table.ts"
import { openStore } from "../store/store.ts"
import { table } from "../store/table.ts"
import type { FoldSet } from "./fold-set.ts"
import { noSideLog } from "./join-events.ts"
import { applySegment, commitBeside, commitPending, loadCore } from "./lane-core.ts"
import { beginSending } from "./sending.ts"

const minutes = table({
  name: "minutes",
  shape: "state",
  key: ["slot", "t"],
  columns: { slot: { type: "u32" }, t: { type: "i64" } },
  replica: { columns: [], rows: 1000 }
})

/** A fold that closes so many buckets with each segment, whatever is in it. */
const closing = () => {
  const slots = new SlotTable(minutes)
  const next = { buckets: 0, bucket: 1 }
  const folds: FoldSet = {
    projections: [],
    tables: [minutes],
    states: [slots as unknown as SlotTable<never>],
    rows: [],
    tails: [],
    tailOf: () => {
      throw new Error("no tail")
    },
    output: () => {
      throw new Error("no output")
    },
    kept: key => key.make(),
    factsSeq: 0,
    join: () => undefined,
    apply: () => {
      slots.grow(1)
      for (let i = 0; i < next.buckets; i++) {
        slots.columns.t[0] = next.bucket++
        slots.touch(0)
        slots.emit(0)
      }
    },
    reloaded: () => undefined,
    feed: new ReplicaFeed([slots as unknown as SlotTable<never>])
  }
  return { folds, next }
}

const threeBlocks = (): MemoryLog => {
  const [usd, native] = testChain.anchors.map(({ address }) => address)
  const market = newMarket("sent versions", usd ?? "", native ?? "")
  const log = new MemoryLog()
  for (const number of [1, 2, 3]) {
    log.append(marketBlock("sent versions", market, "main", number, null, 2, new Set()))
  }
  return log
}

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

it("tells copies a position once, before its commit where readers are told of it then", () =>
  Effect.gen(function* () {
    const sent: Array<unknown> = []
    const { folds, next } = closing()
    const log = threeBlocks()
    const retention = { raw: 2, minutes: 5 }
    const store = yield* openStore(":memory:", folds.tables, { threads: 1, retention })
    const send = (message: ToReplica) => {
      if (message.type === "replica-position") sent.push([message.at, core.committed.seq])
    }
    const core = yield* loadCore(store, folds, log.read, noSideLog, { send })
    beginSending(core)
    next.buckets = 10
    yield* applySegment(core, log.segments[0] as (typeof log.segments)[number])
    const { seq, block, blockTime } = core.folded
    yield* commitBeside(core, { tell: () => sent.push("told"), after: Effect.void })
    yield* core.writing.ended
    const at = { seq, block, blockTime, keptFrom: keptFrom(retention, blockTime) }
    expect(at.keptFrom.raw).toBeGreaterThan(0)
    expect([sent, core.committed.seq]).toEqual([[[at, 0], "told"], seq])
  }).pipe(Effect.scoped, Effect.runPromise))

it("sends copies every version, also those that do not wait for their commit", () =>
  Effect.gen(function* () {
    const sent: Array<number | "commit"> = []
    const { folds, next } = closing()
    const log = threeBlocks()
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const send = (message: ToReplica) => {
      if (message.type === "replica-position") sent.push("commit")
      if (message.type !== "replica-rows") return
      const { count, numbers } = message.rows
      for (let row = 0; row < count; row++) sent.push(numbers[row * 3 + 2] as number)
    }
    const core = yield* loadCore(store, folds, log.read, noSideLog, { send })
    beginSending(core)
    const apply = (segment: number, buckets: number) => {
      next.buckets = buckets
      return applySegment(core, log.segments[segment] as (typeof log.segments)[number])
    }
    // more than are held back until the commit
    yield* apply(0, 9001)
    yield* commitPending(core)
    yield* apply(1, 10)
    yield* commitBeside(core, { after: Effect.void })
    // more than are held back while a commit is written
    yield* apply(2, 70_000)
    yield* commitPending(core)
    const wanted = [...upTo(1, 9001), "commit", ...upTo(9002, 9011), "commit"]
    expect(sent.slice(0, wanted.length)).toEqual(wanted)
    expect(sent.length).toBe(wanted.length + 70_001)
    expect(sent.slice(wanted.length)).toEqual([...upTo(9012, 79_011), "commit"])
  }).pipe(Effect.scoped, Effect.runPromise))
