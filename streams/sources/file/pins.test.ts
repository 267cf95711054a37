/** Files hold transfers of many tokens: those of pinned ones are read, no others. */
import { afterAll, expect, it } from "vitest"
import { PinLedger, pinStatus } from "../../../engine/late/pin-ledger.ts"
import { type FakeLog, syncLog, transferLog } from "../../../test/support/fake-logs.ts"
import { type LogLine, logLine, writeLines } from "../../../test/support/log-files.ts"
import { temporaryFolder } from "../../../test/support/nats.ts"
import { rpcChain as chain } from "../../../test/support/rpc-source.ts"
import { drain, tailOf } from "../../../test/support/tape-input.ts"
import type { Event } from "../../event.ts"
import { makeFileSource } from "./file-source.ts"

const address = (byte: string) => `0x${byte.repeat(20)}` as const
const [PINNED, OTHER, POOL] = [address("c3"), address("d4"), address("21")]
const [ALICE, BOB] = [address("a1"), address("b2")]

const folder = temporaryFolder()
afterAll(() => folder.remove())

const file = (name: string, rows: ReadonlyArray<LogLine>) => writeLines(folder.path, name, rows)

const read = (
  paths: ReadonlyArray<string>,
  pins: ReadonlyArray<string>,
  before?: ReadonlyArray<Event>
) => drain(makeFileSource({ chain, files: paths, pins }), before && tailOf(before))

const transfer = (block: number, index: number, token: typeof PINNED, amount: bigint) =>
  logLine(block, index, transferLog(token, ALICE, BOB, amount))

const malformed: FakeLog = { ...transferLog(PINNED, ALICE, BOB, 9n), data: "0x01" }
const ofAnId = ({ topics, ...log }: FakeLog): FakeLog => ({
  ...log,
  topics: [...topics, topics[1] ?? "0x"]
})

const rows = [
  transfer(10, 0, OTHER, 1n),
  logLine(11, 0, syncLog(POOL, 5n, 5n)),
  transfer(12, 0, PINNED, 2n ** 256n - 1n),
  transfer(12, 3, OTHER, 4n),
  transfer(13, 1, PINNED, 0n),
  logLine(13, 2, malformed),
  logLine(13, 4, ofAnId(transferLog(PINNED, ALICE, BOB, 7n))),
  transfer(14, 0, OTHER, 8n)
]

const shape = (events: ReadonlyArray<Event>) =>
  events.map(({ kind, block, logIndex }) => [kind, block.number, logIndex])

it("tells transfers of the pinned token, and no others", async () => {
  const path = file("transfers.jsonl", rows)
  const { events, error } = await read([path], [PINNED])
  expect(error).toBe(null)
  expect(shape(events)).toEqual([
    ["TokenPinned", 11, 0],
    ["ReservesSynced", 11, 0],
    ["BlockSealed", 11, 0],
    ["TransferSeen", 12, 0],
    ["BlockSealed", 12, 0],
    ["TransferSeen", 13, 1],
    ["LogQuarantined", 13, 2],
    ["BlockSealed", 13, 0]
  ])
  expect(events[0]).toMatchObject({ token: PINNED, tx: null })
  const common = { token: PINNED, from: ALICE, to: BOB }
  expect(events[3]).toMatchObject({ ...common, amount: 2n ** 256n - 1n })
  expect(events[5]).toMatchObject({ ...common, amount: 0n })
  expect(events[6]).toMatchObject({ address: PINNED })
  expect(events.filter(({ kind }) => kind === "BlockSealed")).toMatchObject(
    [1, 1, 2].map(logs => ({ logs, grade: "file" }))
  )
})

it("tells none where nothing is pinned", async () => {
  const { events } = await read([file("none.jsonl", rows)], [])
  expect(shape(events)).toEqual([
    ["ReservesSynced", 11, 0],
    ["BlockSealed", 11, 0]
  ])
})

it("goes on with what the log says is pinned, without saying it again", async () => {
  const path = file("more.jsonl", rows)
  const whole = await read([path], [PINNED, OTHER])
  expect(shape(whole.events).slice(0, 3)).toEqual([
    ["TokenPinned", 10, 0],
    ["TokenPinned", 10, 0],
    ["TransferSeen", 10, 0]
  ])
  const before = whole.events.filter(({ block }) => block.number <= 12)
  const rest = await read([path], [], before)
  expect(rest.error).toBe(null)
  expect([...before, ...rest.events]).toEqual(whole.events)
})

it("is no complete past: what lies before the file is not known", async () => {
  const { batches } = await read([file("past.jsonl", rows)], [PINNED])
  const ledger = new PinLedger()
  for (const batch of batches) ledger.observe(batch)
  const [pin] = ledger.pins
  const NOTHING_MORE = { reachedBlock: null, problem: null, unaudited: null }
  expect(pinStatus(PINNED, pin ?? null, NOTHING_MORE)).toEqual({
    token: PINNED,
    state: "pinned",
    addedBlock: 11,
    createdBlock: null,
    floorBlock: 11,
    reachedBlock: null,
    complete: false,
    problem: null,
    unaudited: null
  })
})
