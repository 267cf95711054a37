/** Runs of blocks that are less than proven, by the grades in their seals. */
import type { FoldContext } from "../../engine/projection.ts"
import type { SlotTable } from "../../engine/store/slot-table.ts"
import { table } from "../../engine/store/table.ts"
import { assuranceOf, RUN_BLOCKS } from "../../src/domain/assurance.ts"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { SaidWords } from "./output.ts"

/** Runs of blocks of one grade; a run grows while blocks of its grade come. */
export const wordsTable = table({
  name: "words",
  shape: "state",
  key: ["slot"],
  columns: {
    slot: { type: "u32" },
    grade: { type: "text" },
    from_block: { type: "i64" },
    to_block: { type: "i64" },
    /** number of blocks of the grade in the run; 0 for a free slot */
    blocks: { type: "i64" }
  }
})

type Words = SlotTable<(typeof wordsTable)["columns"]>

/** Returns all runs with their slots, in the order of these. */
const runsOf = ({ columns: c, count }: Words) =>
  Array.from({ length: count }, (_, slot) => ({
    slot,
    grade: c.grade[slot] ?? "",
    fromBlock: c.from_block[slot] as number,
    toBlock: c.to_block[slot] as number,
    blocks: c.blocks[slot] as number
  })).filter(({ blocks }) => blocks > 0)

/**
 * Returns the run of each grade that ends last, and the slot from which on all are free. Both
 * follow from the rows alone, so a restart or a rollback changes neither.
 */
const placesOf = (words: Words) => {
  const runs = runsOf(words)
  const byEnd = runs.toSorted((a, b) => a.toBlock - b.toBlock)
  const newest = new Map(byEnd.map(({ grade, slot }) => [grade, slot]))
  return { newest, used: (runs.at(-1)?.slot ?? -1) + 1 }
}

export const wordRows = (context: FoldContext) => {
  const words = context.state(wordsTable)
  let places = placesOf(words)
  const begin = (grade: string, from: number, to: number, blocks: number): number => {
    const slot = places.used++
    words.grow(places.used)
    const { columns } = words
    columns.grade[slot] = grade
    columns.from_block[slot] = from
    columns.to_block[slot] = to
    columns.blocks[slot] = blocks
    words.touch(slot)
    return slot
  }
  return {
    /** Takes a `BlockSealed`; returns its grade. */
    sealed(batch: EventBatch, i: number): string {
      const grade = batch.syms[batch.columns.BlockSealed.grade.get(batch.row.get(i))] as string
      if (assuranceOf(grade) === "proven") return grade
      const block = batch.blocks.number.get(batch.block.get(i))
      const slot = places.newest.get(grade)
      const { to_block: ends, blocks } = words.columns
      if (slot === undefined || block - (ends[slot] as number) > RUN_BLOCKS) {
        places.newest.set(grade, begin(grade, block, block, 1))
        return grade
      }
      ends[slot] = block
      blocks[slot] = (blocks[slot] as number) + 1
      words.touch(slot)
      return grade
    },
    /**
     * Takes a `BlocksProven`: blocks leave the runs of their former grade. Where their new grade is
     * less than proven they become a run of it. Returns the new grade.
     */
    proven(batch: EventBatch, i: number): string {
      const c = batch.columns.BlocksProven
      const row = batch.row.get(i)
      const sym = (ref: number): string => batch.syms[ref] as string
      const [was, grade] = [sym(c.was.get(row)), sym(c.grade.get(row))]
      const [from, to] = [c.fromBlock.get(row), c.toBlock.get(row)]
      let open = c.blocks.get(row)
      const { columns } = words
      for (let slot = 0; slot < places.used && open > 0; slot++) {
        const [first, last] = [columns.from_block[slot] as number, columns.to_block[slot] as number]
        const blocks = columns.blocks[slot] as number
        if (columns.grade[slot] !== was || blocks === 0 || last < from || first > to) continue
        const taken = Math.min(open, blocks)
        open -= taken
        columns.blocks[slot] = blocks - taken
        // blocks are proven newest first, so the blocks that are left lie before these
        if (to >= last) columns.to_block[slot] = Math.max(first, from - 1)
        else if (from <= first) columns.from_block[slot] = to + 1
        words.touch(slot)
      }
      const moved = c.blocks.get(row) - open
      if (assuranceOf(grade) !== "proven" && moved > 0) begin(grade, from, to, moved)
      places = placesOf(words)
      return grade
    },
    all: (): ReadonlyArray<SaidWords> =>
      runsOf(words)
        .map(({ slot: _, ...run }) => run)
        .sort((a, b) => a.fromBlock - b.fromBlock),
    reloaded(): void {
      places = placesOf(words)
    }
  }
}
