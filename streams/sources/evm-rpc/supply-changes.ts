/**
 * Pinned tokens whose supply changed, as their transfers from and to the zero address tell. Every
 * part of a source notes what it sees, a repair as well as the head; the live one reads the tokens
 * again, at the head, so that the newest reading in the log is the newest on chain.
 */
import { tokenTransfer, wrapEvents } from "../../evm/token-transfers/decode.ts"
import type { WireBlock } from "./block-proof.ts"
import type { RpcLane } from "./rpc-lane.ts"
import type { WireLog } from "./wire.ts"

const NOBODY = `0x${"0".repeat(64)}`

const WRAPS: ReadonlyArray<string> = wrapEvents.map(({ topic0 }) => topic0)

/** Whether a token's transfer or wrap makes units of it, or takes some away. */
const changesSupply = ({ topics }: WireLog): boolean =>
  topics[0] === tokenTransfer.topic0
    ? topics.length === 3 && (topics[1] === NOBODY) !== (topics[2] === NOBODY)
    : topics.length === 2 && WRAPS.includes(topics[0] ?? "")

/** Notes what these blocks tell; in the live part also what others noted since. */
export const noteSupplies = (lane: RpcLane, blocks: ReadonlyArray<WireBlock>): void => {
  const { supplies, asked, facts } = lane
  if (asked.size > 0) {
    for (const { logs } of blocks) {
      for (const log of logs) {
        if (changesSupply(log) && asked.hasAddress(log.address)) supplies.noted.add(log.address)
      }
    }
  }
  if (!supplies.isLive || supplies.noted.size === 0) return
  for (const token of supplies.noted) facts.reads.changed(token)
  supplies.noted.clear()
}
