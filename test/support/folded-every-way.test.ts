import { expect, it } from "vitest"
import { projection } from "../../engine/projection.ts"
import { table } from "../../engine/store/table.ts"
import { KIND } from "../../streams/batch/batch.ts"
import { foldedEveryWay } from "./folded-every-way.ts"
import { opening, sale } from "./small-lane.ts"

const swapsTable = table({
  ...{ name: "some_swaps", shape: "state", key: ["slot"] },
  columns: { slot: { type: "u32" }, place: { type: "i64" }, before: { type: "u32" } }
})

/** A row for each swap: what `place` tells of it, and the swaps before it, which are counted. */
const swaps = (placeOf: (block: number, seq: number) => number, reloads: boolean) =>
  projection<null>({
    ...{ name: "some_swaps", version: 1, tables: [swapsTable], uses: [], queries: [] },
    create: context => {
      const rows = context.state(swapsTable)
      let counted = 0
      return {
        out: null,
        apply: ({ batch, from, to, seq }) => {
          for (let i = from; i < to; i++) {
            if (batch.kind.values[i] !== KIND.SwapExecuted) continue
            const slot = rows.count
            rows.grow(slot + 1)
            const block = batch.blocks.number.values[batch.block.values[i] as number] as number
            rows.columns.slot[slot] = slot
            rows.columns.place[slot] = placeOf(block, seq + i - from)
            rows.columns.before[slot] = counted++
            rows.touch(slot)
          }
        },
        ...(reloads ? { reloaded: () => void (counted = rows.count) } : {})
      }
    }
  })

const blocks = [opening(10), ...[11, 12, 13].map(time => [sale(time, 1, 2_000_000)])]
const block = (number: number) => number

it("holds for what follows from events alone", async () => {
  expect(await foldedEveryWay(swaps(block, true), blocks, [])).toEqual([])
})

it("names the rows and columns that a position of the log is kept in", async () => {
  const failing = foldedEveryWay(
    swaps((_, seq) => seq, true),
    blocks,
    []
  )
  await expect(failing).rejects.toThrow(
    /^after a rollback, other rows .+ hold a position of the log \(seq\)\?.+\ntable some_swaps\n {2}slot 1: place 5 became 8\n {2}slot 2: place 6 became 9$/
  )
})

it("asks what is not made anew after a restart", async () => {
  await expect(foldedEveryWay(swaps(block, false), blocks, [])).rejects.toThrow(
    /^after a restart, other rows .+ `reloaded` not make anew\?.+\ntable some_swaps\n {2}slot 1: before 1 became 0\n {2}slot 2: before 2 became 1$/
  )
})

/** One row with the number of swaps, which is announced when it is made and never again. */
const forgetful = projection<null>({
  ...{ name: "some_swaps", version: 1, tables: [swapsTable], uses: [], queries: [] },
  create: context => {
    const rows = context.state(swapsTable)
    return {
      out: null,
      apply: ({ batch, from, to }) => {
        for (let i = from; i < to; i++) {
          if (batch.kind.values[i] !== KIND.SwapExecuted) continue
          if (rows.count === 0) rows.touch(rows.add({}))
          rows.columns.before[0] = (rows.columns.before[0] as number) + 1
        }
      }
    }
  }
})

it("asks whether a changed row was announced", async () => {
  await expect(foldedEveryWay(forgetful, blocks, [])).rejects.toThrow(
    /^in one commit, other rows .+ does the fold `touch` every slot .+\ntable some_swaps\n {2}slot 0: before 1 became 3$/
  )
})
