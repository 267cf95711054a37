/** `PoolParameterSet` from a word of a log. */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"

/**
 * Pushes a parameter whose value is the unsigned integer in the 32 bytes at `from`. `pool` is a
 * reference of the batch's id table; `index` its place in a list.
 */
export const pushParameter = (
  out: BatchBuilder,
  logIndex: number,
  pool: number,
  name: string,
  bytes: Uint8Array,
  from: number,
  index: number = NULL_I32
): void => {
  const c = out.columns.PoolParameterSet
  c.pool.push(pool)
  c.name.push(out.sym(name))
  c.index.push(index)
  c.value.pushUnsigned(bytes, from)
  out.end("PoolParameterSet", logIndex)
}
