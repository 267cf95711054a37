import { expect, it } from "vitest"
import { LaneInbox } from "./lane-inbox.ts"
import type { FromLane } from "./messages.ts"

const rows = (message: number): FromLane => ({
  type: "replica-rows",
  rows: { table: "minutes", count: 0, numbers: Float64Array.of(message), bytes: new Uint8Array(0) }
})
const commit = (seq: number): FromLane => ({
  type: "position",
  at: { seq, block: seq, blockTime: seq }
})
const frames: FromLane = {
  type: "frames",
  notice: { channels: ["trades"], since: 0, seq: 1, frames: [] }
}
const turn = () => new Promise(resolve => setImmediate(resolve))

it("takes some pieces for copies of tables a turn, in order, and lets answers pass", async () => {
  const taken: Array<FromLane> = []
  const inbox = new LaneInbox(message => void taken.push(message))
  const [some, more] = [
    [rows(1), commit(4), rows(2), rows(3)],
    [commit(5), rows(4), commit(6)]
  ]
  for (const message of [...some, ...more, frames]) inbox.receive(message)
  expect(taken).toEqual([frames])
  await turn()
  expect(taken).toEqual([frames, ...some])
  await turn()
  expect(taken).toEqual([frames, ...some, ...more])
  inbox.receive(commit(7))
  await turn()
  expect(taken.at(-1)).toEqual(commit(7))
})

it("keeps the order of many, and takes nothing of a worker that is gone", async () => {
  const taken: Array<unknown> = []
  const inbox = new LaneInbox(message => {
    taken.push(message.type === "replica-rows" ? message.rows.numbers[0] : message.type)
  })
  for (let i = 0; i < 600; i++) inbox.receive(rows(i))
  while (taken.length < 498) await turn()
  expect(taken).toEqual(Array.from({ length: 498 }, (_, i) => i))
  inbox.close()
  inbox.receive(frames)
  await turn()
  await turn()
  expect(taken.length).toBe(498)
})
