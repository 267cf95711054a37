/** `PoolParameterSet` from a log. `pool` is a reference of the batch's id table. */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import { type RawLog, word } from "./raw-log.ts"
import { rejection } from "./rejection.ts"

const pushHead = (out: BatchBuilder, pool: number, name: string, index: number): void => {
  const c = out.columns.PoolParameterSet
  c.pool.push(pool)
  c.name.push(out.sym(name))
  c.index.push(index)
}

/**
 * Pushes a parameter whose value is the unsigned integer in the 32 bytes at `from`; `index` is its
 * place in a list.
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
  pushHead(out, pool, name, index)
  out.columns.PoolParameterSet.value.pushUnsigned(bytes, from)
  out.end("PoolParameterSet", logIndex)
}

/** Writes a parameter of a pool that is a signed integer. */
export const pushSignedParameter = (
  out: BatchBuilder,
  logIndex: number,
  pool: number,
  name: string,
  bytes: Uint8Array,
  from: number,
  index: number = NULL_I32
): void => {
  pushHead(out, pool, name, index)
  out.columns.PoolParameterSet.value.pushSigned(bytes, from)
  out.end("PoolParameterSet", logIndex)
}

/** Pushes a parameter that no word of the log holds as it is; `index` is its place in a list. */
export const pushParameterValue = (
  out: BatchBuilder,
  logIndex: number,
  pool: number,
  name: string,
  value: bigint,
  index: number = NULL_I32
): void => {
  pushHead(out, pool, name, index)
  out.columns.PoolParameterSet.value.push(value)
  out.end("PoolParameterSet", logIndex)
}

/** A decoder of data words that are parameters of the emitting pool, one name a word. */
export const parametersOf =
  (...names: ReadonlyArray<string>) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    if (log.topicCount !== 1) return rejection.topicCount
    if (log.dataLength !== word(names.length)) return rejection.dataLength
    const pool = out.ids.account(log.account)
    let at = 0
    for (const name of names) pushParameter(out, log.logIndex, pool, name, log.data, word(at++))
    return null
  }
