/** Which parts of the side log a batch joins, and what it says of which pins. */
import { expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { batchOf, eventsOf } from "../../streams/event-objects.ts"
import { blockRef } from "../../test/support/block-batches.ts"
import { PinLedger } from "./pin-ledger.ts"
import { type Part, PinParts } from "./pin-parts.ts"

const TOKEN = `0x${"70".repeat(20)}`

const saying = (kind: "TokenPinned" | "TokenUnpinned", number: number): Event => ({
  ...{ kind, block: blockRef(number), tx: null, logIndex: 0 },
  token: TOKEN
})

const seal = (number: number): Event => ({
  ...{ kind: "BlockSealed", block: blockRef(number), tx: null, logIndex: 0 },
  ...{ logs: 0, grade: "root" }
})

/** Transfers of blocks up to 9, read for the pin of block 10. */
const part: Part = {
  range: { firstSeq: 1, lastSeq: 3, hash: "5a".repeat(32) },
  events: 3,
  block: blockRef(9),
  filled: [{ token: TOKEN, fromBlock: 1, toBlock: 9, reach: "creation", grade: "root" }]
}

const waiting = () => {
  const parts = new PinParts(new PinLedger(), 1_000)
  parts.found([])
  parts.tellIn(batchOf([saying("TokenPinned", 10), seal(10)]))
  parts.add(part)
  parts.prove(part)
  return parts
}

const kindsOf = (parts: PinParts, events: ReadonlyArray<Event>) =>
  eventsOf(parts.tellIn(batchOf(events))).map(({ kind }) => kind)

it("a part that is joined tells what is there of its pin", () => {
  const parts = waiting()
  expect(kindsOf(parts, [seal(11)])).toEqual(["EventsJoined", "TransfersFilled", "BlockSealed"])
  expect(parts.pins).toMatchObject([{ addedBlock: 10, filled: [{ fromBlock: 1, toBlock: 9 }] }])
})

it("a part that is joined with the next pin of its token tells nothing of that: it is read again", () => {
  const parts = waiting()
  const again = [saying("TokenUnpinned", 11), saying("TokenPinned", 12), seal(12)]
  expect(kindsOf(parts, again)).toEqual([
    ...["TokenUnpinned", "TokenPinned", "EventsJoined", "BlockSealed"]
  ])
  expect(parts.pins).toMatchObject([{ addedBlock: 12, filled: [] }])
})

it("a part that waits over the next pin of its token is of use to it", () => {
  const parts = new PinParts(new PinLedger(), 1_000)
  parts.found([])
  parts.tellIn(batchOf([saying("TokenPinned", 10), seal(10)]))
  parts.add(part)
  parts.tellIn(batchOf([saying("TokenUnpinned", 11), seal(11)]))
  parts.tellIn(batchOf([saying("TokenPinned", 12), seal(12)]))
  parts.prove(part)
  expect(kindsOf(parts, [seal(13)])).toEqual(["EventsJoined", "TransfersFilled", "BlockSealed"])
  expect(parts.pins).toMatchObject([{ addedBlock: 12, filled: [{ fromBlock: 1, toBlock: 9 }] }])
})
