import { Effect } from "effect"
import { expect, it } from "vitest"
import { testChain } from "../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { SlotTable } from "../store/slot-table.ts"
import { openStore } from "../store/store.ts"
import { table } from "../store/table.ts"
import type { FoldSet } from "./fold-set.ts"
import { applySegment, commitBehind, commitPending, loadCore } from "./lane-core.ts"

const minutes = table({
  name: "minutes",
  shape: "state",
  key: ["slot", "t"],
  columns: { slot: { type: "u32" }, t: { type: "i64" } }
})

/** A fold that closes so many buckets with each segment, whatever is in it. */
const closing = (told: Array<number | "commit">) => {
  const slots = new SlotTable(minutes)
  const next = { buckets: 0, bucket: 1 }
  const folds: FoldSet = {
    projections: [],
    tables: [minutes],
    states: [slots as unknown as SlotTable<never>],
    rows: [],
    output: () => {
      throw new Error("no output")
    },
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
    unmirrored: () => undefined,
    mirrored: (_, end) => {
      const { versions } = slots
      for (let i = versions.mirrored; i < end; i++) told.push(versions.columns.t[i] as number)
      return null
    }
  }
  return { folds, next }
}

const threeBlocks = (): MemoryLog => {
  const [usd, native] = testChain.anchors.map(({ address }) => address)
  const market = newMarket("mirroring", usd ?? "", native ?? "")
  const log = new MemoryLog()
  for (const number of [1, 2, 3]) {
    log.append(marketBlock("mirroring", market, "main", number, null, 2, new Set()))
  }
  return log
}

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

it("tells mirrors of every version, also of those that do not wait for their commit", () =>
  Effect.gen(function* () {
    const told: Array<number | "commit"> = []
    const { folds, next } = closing(told)
    const log = threeBlocks()
    const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
    const core = yield* loadCore(store, folds, log.read)
    core.mirror = ({ type }) => {
      if (type === "mirror-commit") told.push("commit")
    }
    const apply = (segment: number, buckets: number) => {
      next.buckets = buckets
      return applySegment(core, log.segments[segment] as (typeof log.segments)[number])
    }
    // more than are held back until the commit
    yield* apply(0, 9001)
    yield* commitPending(core)
    yield* apply(1, 10)
    yield* commitBehind(core, Effect.void)
    // more than are held back while a commit is written
    yield* apply(2, 70_000)
    yield* commitPending(core)
    const wanted = [...upTo(1, 9001), "commit", ...upTo(9002, 9011), "commit"]
    expect(told.slice(0, wanted.length)).toEqual(wanted)
    expect(told.length).toBe(wanted.length + 70_001)
    expect(told.slice(wanted.length)).toEqual([...upTo(9012, 79_011), "commit"])
  }).pipe(Effect.scoped, Effect.runPromise))
