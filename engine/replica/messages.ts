/** What a lane sends to the copies of its tables on another thread. */
import type { KeptFrom } from "../store/retention.ts"
import type { ChangedRows } from "./changed-rows.ts"

export interface Position {
  readonly seq: number
  readonly block: number
  readonly blockTime: number
}

/** Where copies of tables stand, and from when on readers see rows that leave. */
export interface CopiedPosition extends Position {
  readonly keptFrom: KeptFrom
}

/**
 * What a lane sends to the copies of its tables, in the order in which it happens: rows, which
 * count from the next position on, and that all copies are void.
 */
export type ToReplica =
  | { readonly type: "replica-rows"; readonly rows: ChangedRows }
  | { readonly type: "replica-position"; readonly at: CopiedPosition }
  | { readonly type: "replica-forget" }

/** Whether a message is for the copies. */
export const isForReplica = <M extends { readonly type: string }>(
  message: M | ToReplica
): message is ToReplica =>
  message.type === "replica-rows" ||
  message.type === "replica-position" ||
  message.type === "replica-forget"
