/** `PoolCreated` from a factory's log. */
import type { BatchBuilder } from "../batch/builder.ts"
import { NULL_I32 } from "../batch/columns.ts"
import type { RawLog } from "./raw-log.ts"

export interface CreatedPool {
  readonly kind: string
  /** a reference of the batch's id table */
  readonly pool: number
  /** the log's data or topics, and the first token's place in it */
  readonly bytes: Uint8Array
  readonly token0: number
  /** how many tokens there are, 2 where absent, and from one to the next, 32 bytes where absent */
  readonly count?: number
  readonly step?: number
  /** 1e-6; absent or `NULL_I32` where none is fixed */
  readonly fee?: number
  readonly tickSpacing?: number
}

/** Pushes the pool that the emitter, its factory, tells of. */
export const pushPoolCreated = (log: RawLog, out: BatchBuilder, created: CreatedPool): void => {
  const { kind, pool, bytes, token0, count = 2, step = 32 } = created
  const { ids } = out
  const tokens: Array<number> = []
  const c = out.columns.PoolCreated
  c.pool.push(pool)
  c.venueKind.push(out.sym(kind))
  c.factory.push(ids.account(log.account))
  for (let i = 0; i < count; i++) tokens.push(ids.addressWord(bytes, token0 + i * step))
  c.tokens.push(tokens)
  c.fee.push(created.fee ?? NULL_I32)
  c.tickSpacing.push(created.tickSpacing ?? NULL_I32)
  c.source.push(out.sym("log"))
  out.end("PoolCreated", log.logIndex)
}
