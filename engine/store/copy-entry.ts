/** Copies ids of a batch into columns of fixed bytes. */
import { type ByteTable, NONE } from "../../streams/batch/id-table.ts"

/** Copies an entry of a table to the end of a row of `stride` bytes, after zeros; `NONE`: zeros. */
export const copyEntry = (
  target: Uint8Array,
  row: number,
  stride: number,
  { data, width }: ByteTable,
  entry: number
): void => {
  const end = (row + 1) * stride
  const at = end - width
  if (entry === NONE || width < stride) target.fill(0, end - stride, end)
  if (entry === NONE) return
  for (let i = 0; i < width; i++) target[at + i] = data[entry * width + i] as number
}
