/** Batches of whole blocks for tests of the log: arbitrary events, sealed, in order. */
import { createHash } from "node:crypto"
import type { EventBatch } from "../../streams/batch/batch.ts"
import type { BlockRef, Event, EventOf } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { randomEvents } from "./random-events.ts"

/** The hash of a block on a branch of a made-up chain. */
export const blockHash = (branch: string, number: number): string =>
  `0x${createHash("sha256").update(`${branch}/${number}`).digest("hex")}`

/** A block whose parent is on the same branch, unless another is given. */
export const blockRef = (number: number, branch = "main", parentBranch = branch): BlockRef => ({
  number,
  time: 1_700_000_000 + number,
  hash: blockHash(branch, number),
  parentHash: blockHash(parentBranch, number - 1)
})

/** `count` arbitrary events in a block, then its seal. */
export const blockEvents = (block: BlockRef, count: number, seed = "log"): Array<Event> => {
  const events = randomEvents(`${seed}/${block.hash}`, 1, count).map(
    (event, logIndex): Event => ({ ...event, block, logIndex })
  )
  const seal: EventOf<"BlockSealed"> = {
    kind: "BlockSealed",
    block,
    tx: null,
    logIndex: 0,
    logs: count,
    grade: "receipts-root"
  }
  return [...events, seal]
}

/** The `Rollback` a source sends: its `toSeq` is for the log to fill in. */
export const rollbackTo = (toBlock: number, toHash: string | null = null): EventOf<"Rollback"> => ({
  kind: "Rollback",
  block: { number: toBlock, time: 1_700_000_000 + toBlock, hash: toHash, parentHash: null },
  tx: null,
  logIndex: 0,
  toSeq: 0,
  toBlock,
  toHash,
  fromBlock: toBlock + 1,
  reason: "reorg"
})

/** Blocks `from` to `to` as one batch, with `events` events each. */
export const blocksBatch = (from: number, to: number, events = 3, branch = "main"): EventBatch => {
  const all: Array<Event> = []
  for (let number = from; number <= to; number++) {
    all.push(...blockEvents(blockRef(number, branch), events))
  }
  return batchOf(all)
}
