/** Which tables are due to be merged, by what a merge of theirs writes. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { compact } from "./compaction.ts"
import { type Commit, openStore } from "./store.ts"
import { rowsName, table } from "./table.ts"

const byKey = table({
  name: "by_key",
  shape: "state",
  key: ["k"],
  columns: { k: { type: "u32" } }
})
const byKeyAndTime = table({
  name: "by_key_and_time",
  shape: "state",
  key: ["k", "t"],
  columns: { k: { type: "u32" }, t: { type: "u32" } }
})

const at = (seq: number): Commit => ({ seq, streamSeq: seq, hash: "", block: seq, blockTime: seq })

it("merges less of a tail where it becomes a run than where the base is written anew", () =>
  Effect.gen(function* () {
    const store = yield* openStore(":memory:", [byKey, byKeyAndTime], { threads: 1 })
    const write = (from: number, to: number) =>
      store.writer.run(
        `INSERT INTO by_key_tail BY NAME SELECT range AS k, range AS seq FROM range(${from}, ${to});
         INSERT INTO by_key_and_time_tail BY NAME
           SELECT range AS k, range AS t, range AS seq FROM range(${from}, ${to})`
      )
    const shares = { minTailRows: 1, share: 0.25, runShare: 1 / 16 }
    yield* write(1, 161)
    expect(yield* compact(store, at(160), shares)).toEqual(["by_key", "by_key_and_time"])
    yield* write(161, 170)
    expect(yield* compact(store, at(169), shares)).toEqual([])
    yield* write(170, 171)
    expect(yield* compact(store, at(170), shares)).toEqual(["by_key_and_time"])
    yield* write(171, 201)
    expect(yield* compact(store, at(200), shares)).toEqual(["by_key", "by_key_and_time"])
    for (const name of [byKey, byKeyAndTime].map(rowsName)) {
      const [row] = yield* store.writer.rows(`SELECT count(*) AS n, sum(k) AS k FROM ${name}`)
      expect(Number(row?.["n"])).toBe(200)
      expect(Number(row?.["k"])).toBe((200 * 201) / 2)
    }
  }).pipe(Effect.scoped, Effect.runPromise))
