/** Classifies the errors of Solana's JSON-RPC, whose codes mean other things than those of EVM. */
import type { RpcErrorKind } from "./rpc-error.ts"

/** Codes of Agave's RPC (`rpc-client-api`, custom errors) that say what a node has of a block. */
export const SOLANA_CODES = {
  /** older than what the node keeps */
  cleanedUp: -32001,
  /** beyond what the node knows as confirmed, or a slot without a block that is not rooted yet */
  notAvailable: -32004,
  /** without a block, or missing after the node began with a snapshot */
  skipped: -32007,
  /** without a block, or missing in long-term storage */
  skippedInStorage: -32009,
  noHistory: -32011,
  statusNotYet: -32014,
  unreadVersion: -32015,
  storageUnreachable: -32019
} as const

const NO_BLOCK: ReadonlySet<number> = new Set([
  SOLANA_CODES.cleanedUp,
  SOLANA_CODES.notAvailable,
  SOLANA_CODES.skipped,
  SOLANA_CODES.skippedInStorage,
  SOLANA_CODES.noHistory,
  SOLANA_CODES.statusNotYet,
  SOLANA_CODES.storageUnreachable
])

/** A node that is behind (unhealthy, or short of a context slot) is as good as none for now. */
const BEHIND: ReadonlySet<number> = new Set([-32005, -32016])

const LIMITED = /rate.?limit|too many requests|per second|quota|capacity/i

/** Returns the kind of an error object; one that is about a block alone is `no-state`. */
export const solanaErrorKind = (_method: string, code: number, message: string): RpcErrorKind => {
  if (code === 429 || code === -32429 || LIMITED.test(message)) return "rate-limited"
  if (NO_BLOCK.has(code)) return "no-state"
  if (BEHIND.has(code)) return "dead"
  return code === -32601 ? "unsupported" : "rpc"
}
