/** Logs that hold times which their blocks never had, as an older version left them. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { randomTxs } from "../../../test/support/fake-market.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { gapsOf, loggedOf, truthLogs } from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"
import type { Event } from "../../event.ts"

const YEAR = 31_536_000
const BEGAN = 20
const ENDED = 30

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

const mine = (label: string, count: number) => {
  const r = random(label)
  for (let i = 0; i < count; i++) world.chain.mine(randomTxs(r, 3))
}

/** A log whose blocks from `BEGAN` on are told so many seconds too late. */
const brokenLog = async (wrongTime: number): Promise<ReadonlyArray<Event>> => {
  mine(`broken ${wrongTime}`, ENDED)
  await world.node({}, "honest")
  await world.start()
  await world.reached()
  await world.end()
  return world.run.events.map(event => {
    const { block } = event
    return block.number < BEGAN
      ? event
      : { ...event, block: { ...block, time: block.time + wrongTime } }
  })
}

const goOn = async (
  log: ReadonlyArray<Event>,
  faults: ReadonlyArray<Partial<Faults>>,
  tailBlocks?: number
) => {
  for (const [i, one] of faults.entries()) await world.node(one, `node ${i}`)
  const known = tailBlocks === undefined ? {} : { tailBlocks }
  await world.start(known, log)
}

const expectMended = () => {
  expect(gapsOf(world.run.events)).toEqual([])
  expect(loggedOf(world.run.events)).toEqual(truthLogs(world.chain))
  for (const { block } of effective(world.run.events)) {
    expect(block.time).toBe(world.chain.at(block.number)?.timestamp)
  }
  const rollbacks = world.run.events.filter(({ kind }) => kind === "Rollback")
  expect(rollbacks).toMatchObject([
    { toBlock: BEGAN - 1, fromBlock: ENDED, block: { time: world.chain.at(BEGAN - 1)?.timestamp } }
  ])
}

it.each([
  { wrongTime: YEAR, endpoints: 1, more: 5 },
  { wrongTime: 2, endpoints: 1, more: 5 },
  { wrongTime: -1, endpoints: 1, more: 0 },
  { wrongTime: YEAR, endpoints: 2, more: 0 },
  { wrongTime: 2, endpoints: 2, more: 5 },
  { wrongTime: 2, endpoints: 1, more: 5, tailBlocks: 2 },
  { wrongTime: 2, endpoints: 1, more: 80 }
])("are read again: %o", async ({ wrongTime, endpoints, more, tailBlocks }) => {
  const log = await brokenLog(wrongTime)
  mine("more", more)
  await goOn(
    log,
    Array.from({ length: endpoints }, () => ({})),
    tailBlocks
  )
  mine("one more", 1)
  await world.reached()
  expectMended()
})

it("are told with what to do where no header shows which is wrong", async () => {
  const log = await brokenLog(YEAR)
  mine("more", 1)
  await goOn(log, [{ bareHeaders: true }], 12)
  const error = await world.run.ended
  expect(error).toMatchObject({ fatal: false })
  const { chain } = world
  const seq = log.findLastIndex(({ block }) => block.number < BEGAN) + 1
  expect(error?.message).toBe(
    `block ${ENDED + 1} is of second ${chain.head.timestamp}, and block ${ENDED} of the log before ` +
      `it of ${(chain.at(ENDED)?.timestamp ?? 0) + YEAR}: a node told a wrong time, and the headers ` +
      "that the nodes tell do not show which is wrong. Where it is the log's, stop the engine, then " +
      `"npm run log -- cut --chain base --to ${seq} --data DIR --yes" (DIR is its data ` +
      `folder) keeps the log up to block ${BEGAN - 1}, and the rest is read again at the next start`
  )
})
