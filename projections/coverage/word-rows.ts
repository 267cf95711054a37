/** Which blocks are somebody's word, as their seals say. */
import type { FoldContext } from "../../engine/projection.ts"
import { table } from "../../engine/store/table.ts"
import { assuranceOf, RUN_BLOCKS } from "../../src/domain/assurance.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"

/** Runs of blocks of one grade; a run grows while they come. */
export const wordsTable = table({
  name: "words",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    grade: { type: "text" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    /** 0 of a slot that is free */
    blocks: { type: "i64" }
  }
})

export const wordRows = (context: FoldContext) => {
  const words = context.state(wordsTable)
  /** newest run of each grade */
  const newest = new Map<string, number>()
  let used = 0
  return {
    sealed(batch: EventBatch, i: number, row: number): void {
      const grade = batch.syms[batch.columns.BlockSealed.grade.get(row)] as string
      if (assuranceOf(grade) === "proven") return
      const block = batch.blocks.number.get(batch.block.get(i))
      let slot = newest.get(grade)
      const last = slot === undefined ? Number.NEGATIVE_INFINITY : words.columns.to_block[slot]
      if (slot === undefined || block - (last as number) > RUN_BLOCKS) {
        slot = used++
        words.grow(used)
        newest.set(grade, slot)
        words.columns.slot[slot] = slot
        words.columns.grade[slot] = grade
        words.columns.from_block[slot] = block
        words.columns.blocks[slot] = 0
      }
      words.columns.to_block[slot] = block
      words.columns.blocks[slot] = (words.columns.blocks[slot] as number) + 1
      words.touch(slot)
    },
    /** Some that were a word are known better now. Those that nobody else tells of are a run. */
    proven(batch: EventBatch, row: number): void {
      const c = batch.columns.BlocksProven
      const sym = (ref: number): string => batch.syms[ref] as string
      const [was, grade] = [sym(c.was.get(row)), sym(c.grade.get(row))]
      const [from, to] = [c.fromBlock.get(row), c.toBlock.get(row)]
      let open = c.blocks.get(row)
      const { columns } = words
      for (let slot = 0; slot < used && open > 0; slot++) {
        const [first, last] = [columns.from_block[slot] as number, columns.to_block[slot] as number]
        const blocks = columns.blocks[slot] as number
        if (columns.grade[slot] !== was || blocks === 0 || last < from || first > to) continue
        const taken = Math.min(open, blocks)
        open -= taken
        columns.blocks[slot] = blocks - taken
        if (taken === blocks && newest.get(was) === slot) newest.delete(was)
        // they are told the newest first: what is left lies before
        if (to >= last) columns.to_block[slot] = Math.max(first, from - 1)
        else if (from <= first) columns.from_block[slot] = to + 1
        words.touch(slot)
      }
      const moved = c.blocks.get(row) - open
      if (assuranceOf(grade) === "proven" || moved === 0) return
      const slot = used++
      words.grow(used)
      columns.slot[slot] = slot
      columns.grade[slot] = grade
      columns.from_block[slot] = from
      columns.to_block[slot] = to
      columns.blocks[slot] = moved
      words.touch(slot)
    },
    reloaded(): void {
      newest.clear()
      used = 0
      for (let slot = 0; slot < words.count; slot++) {
        if (!((words.columns.blocks[slot] as number) > 0)) continue
        newest.set(words.columns.grade[slot] ?? "", slot)
        used = slot + 1
      }
    }
  }
}
