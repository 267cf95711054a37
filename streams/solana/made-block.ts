/** Blocks made by hand, and what they become on the tape: for tests. */
import { toBase58 } from "../../src/domain/base58.ts"
import type { Event } from "../event.ts"
import { eventsOf } from "../event-objects.ts"
import { FactBook } from "../facts.ts"
import type { Rollback, SolanaBlock } from "./block.ts"
import { addressOf } from "./made-transaction.ts"
import { decodeBlock, SolanaTapeWriter } from "./solana-tape-writer.ts"
import type { Transaction } from "./transaction.ts"

export const signature = (n: number): string => toBase58(new Uint8Array(64).fill(n))

/** The first of its transactions has place 1, and the signature of 10 times the slot. */
export const block = (
  slot: number,
  transactions: ReadonlyArray<Transaction>,
  more: Partial<SolanaBlock> = {}
): SolanaBlock => {
  const signed = transactions.map((one, i) => ({ ...one, signature: signature(10 * slot + i) }))
  return {
    ...{ _tag: "Block", slot, parentSlot: slot - 1, height: slot, timeSeconds: 1_000 + slot },
    ...{ hash: addressOf(200 + (slot % 50)), parentHash: addressOf(200 + ((slot - 1) % 50)) },
    by: "node",
    signatures: [signature(255), ...signed.map(one => one.signature)],
    ...{ failed: 0, transactions: signed, grade: "second" },
    ...more
  }
}

/** A rollback to a block that is made as above, with its time as a node tells it now. */
export const backTo = (slot: number, fromBlock: number, toTime = 1_000 + slot): Rollback => ({
  ...{ _tag: "Rollback", toBlock: slot, toHash: addressOf(200 + (slot % 50)), toTime, fromBlock }
})

export const decoded = (...parts: Parameters<typeof block>) => decodeBlock(block(...parts))

export const newWriter = () =>
  new SolanaTapeWriter({
    ...{ facts: new FactBook(), last: null, blocks: [], knownPools: [], knownTokens: [] }
  })

export const taken = (writer: SolanaTapeWriter): ReadonlyArray<Event> => {
  writer.flush()
  const events: Array<Event> = []
  for (let batch = writer.take(); batch !== null; batch = writer.take()) {
    events.push(...eventsOf(batch))
  }
  return events
}

export const tapeOf = (...blocks: ReadonlyArray<SolanaBlock>): ReadonlyArray<Event> => {
  const writer = newWriter()
  for (const one of blocks) writer.writeBlock(decodeBlock(one))
  if (writer.problem !== null) throw new Error(writer.problem.message)
  return taken(writer)
}

export const kinds = (events: ReadonlyArray<Event>) => events.map(({ kind }) => kind)
