/**
 * Whether a token takes a part of what is transferred, by an observation: the pool's event says how
 * much it sent to whom, the token's own `Transfer` how much arrived. Only what a pool pays out is
 * looked at: what it is paid is told net of any fee by V2 pools, so there is nothing to compare.
 */
import type { TransferFact } from "../../facts.ts"
import type { WireLog } from "./wire.ts"

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"

/** What a pool says of what it paid for a swap. */
export interface PaidOut {
  readonly pool: string
  readonly token: string
  readonly recipient: string
  /** raw units */
  readonly amount: bigint
  /** the swap's own log */
  readonly log: WireLog
}

const wordOf = (address: string): string => `0x${address.slice(2).padStart(64, "0")}`

/**
 * The observation in the swap's receipt; null where it holds no transfer of that payment. Transfers
 * between the pool's event before and this one count, whatever their number.
 */
export const checkTransfer = (
  { pool, token, recipient, amount, log }: PaidOut,
  receipt: ReadonlyArray<WireLog>
): TransferFact | null => {
  const [from, to] = [wordOf(pool), wordOf(recipient)]
  let after = -1
  for (const { address, topics, index } of receipt) {
    if (address === pool && topics[0] === log.topics[0] && index < log.index) after = index
  }
  let received = 0n
  let sent = false
  for (const { address, topics, data, index } of receipt) {
    if (address !== token || index <= after || index >= log.index) continue
    if (topics[0] !== TRANSFER || topics.length !== 3 || topics[1] !== from) continue
    if (!/^0x[0-9a-f]{64}$/.test(data)) return null
    sent = true
    if (topics[2] === to) received += BigInt(data)
  }
  return sent ? { token, pool, tx: log.txHash, sent: amount, received } : null
}
