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
  const at = entry === NONE ? end : end - width
  // a call of `fill` takes longer
  for (let i = end - stride; i < at; i++) target[i] = 0
  if (entry === NONE) return
  for (let i = 0; i < width; i++) target[at + i] = data[entry * width + i] as number
}
