/** Nodes that tell times which their blocks' hashes know nothing of. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { randomTxs } from "../../../test/support/fake-market.ts"
import type { FakeRpc } from "../../../test/support/fake-rpc.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { gapsOf, loggedOf, truthLogs } from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"

const YEAR = 31_536_000

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

const mine = (r: ReturnType<typeof random>, count = 6) => {
  for (let i = 0; i < count; i++) world.chain.mine(randomTxs(r, 4))
}

const start = async (label: string, faults: ReadonlyArray<Partial<Faults>>, pushed = false) => {
  for (const one of faults) await world.node(one, label)
  await world.start({ endpoints: world.nodes.map(({ url, wsUrl }) => (pushed ? wsUrl : url)) })
}

/** Every block that was ever written has the chain's time. */
const expectTruth = () => {
  expect(gapsOf(world.run.events)).toEqual([])
  expect(loggedOf(world.run.events)).toEqual(truthLogs(world.chain))
  for (const { block } of world.run.events) {
    expect(block.time).toBe(world.chain.at(block.number)?.timestamp)
  }
}

it.each([
  { wrongTime: 2, pushed: false },
  { wrongTime: YEAR, pushed: false },
  { wrongTime: -1, pushed: true },
  { wrongTime: 2, pushed: true }
])("is not believed alone, told, and read again once honest: %o", async ({ wrongTime, pushed }) => {
  const r = random(`wrong time ${wrongTime}`)
  mine(r)
  await start("alone", [{}], pushed)
  await world.reached()
  const [node] = world.nodes as [FakeRpc]
  node.faults.wrongTime = wrongTime
  mine(r)
  const words = /^127\.0\.0\.1:\d+ told a header of block \d+ that does not give its hash$/
  await world.until("words", () => words.test(world.run.status().problem ?? ""))
  expect(world.run.status()).toMatchObject({ state: "retrying", emittedBlock: 6 })
  expect(world.run.status().endpoints[0]?.wrongAnswers).toBeGreaterThan(0)
  node.faults.wrongTime = 0
  mine(r, 1)
  await world.reached()
  expectTruth()
  await world.until(
    "live",
    () => world.run.status().state === "live" && world.run.status().problem === null
  )
})

it("of two that tell times the honest one is used, and no block waits", async () => {
  const r = random("one of two")
  mine(r)
  // one that lags is not used
  await start("two", [{}, { lag: 4 }])
  await world.reached()
  const [liar, honest] = world.nodes as [FakeRpc, FakeRpc]
  liar.faults.wrongTime = 2
  honest.faults.lag = 0
  for (let i = 0; i < 4; i++) {
    mine(r, 2)
    await world.reached()
  }
  expectTruth()
  const { endpoints, grades } = world.run.status()
  expect(endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)).toEqual([true, false])
  expect(Object.keys(grades).filter(grade => !/^(root|bloom)$/.test(grade))).toEqual([])
})

it("in history is asked for again elsewhere", async () => {
  const r = random("history")
  mine(r, 120)
  await start("history", [{}, {}])
  const [liar] = world.nodes as [FakeRpc]
  await world.until("headers", () => (liar.calls.get("eth_getBlockByNumber") ?? 0) > 0)
  liar.faults.wrongTime = 2
  await world.reached()
  expectTruth()
})

it("tells that a block is a node's word where headers lack fields", async () => {
  const r = random("bare")
  mine(r, 8)
  await start("bare", [{ bareHeaders: true }])
  await world.reached()
  const grades = effective(world.run.events).flatMap(event =>
    event.kind === "BlockSealed" ? [event.grade] : []
  )
  expect(grades).toEqual(world.chain.blocks.map(() => "unsealed"))
  expectTruth()
})

it("leaves no field out once it was told: that would be a way round", async () => {
  const r = random("bare, later")
  mine(r)
  await start("bare, later", [{}])
  await world.reached()
  const [node] = world.nodes as [FakeRpc]
  Object.assign(node.faults, { bareHeaders: true, wrongTime: 2 })
  mine(r)
  await world.until("words", () =>
    (world.run.status().problem ?? "").endsWith("without fields that it told before")
  )
  Object.assign(node.faults, { bareHeaders: false, wrongTime: 0 })
  await world.reached()
  expectTruth()
})

it.each([1, 2])(
  "of %d, told hashes of transactions that are not the block's: none is written",
  async count => {
    const r = random(`wrong hashes ${count}`)
    mine(r)
    await start(
      "hashes",
      Array.from({ length: count }, (_, i) => ({ lag: 4 * i }))
    )
    await world.reached()
    const [liar, honest] = world.nodes as [FakeRpc, FakeRpc | undefined]
    liar.faults.wrongHashes = true
    mine(r)
    if (honest === undefined) {
      const words = /told transactions of block \d+ that do not give its transactions root$/
      await world.until("words", () => words.test(world.run.status().problem ?? ""))
      liar.faults.wrongHashes = false
    } else {
      // the other has the blocks once this one was asked for them
      const wrong = () => world.run.status().endpoints[0]?.wrongAnswers ?? 0
      await world.until("a lie", () => wrong() > 0)
      honest.faults.lag = 0
    }
    await world.reached()
    expectTruth()
    expect(world.run.status().endpoints[0]?.wrongAnswers).toBeGreaterThan(0)
    expect(world.run.status().senders.word).toBe(0)
  }
)

it("told senders in receipts that are not the transactions': the true ones are written", async () => {
  const r = random("wrong senders")
  mine(r)
  await start("senders", [{ wrongSenders: true }])
  await world.reached()
  mine(r)
  await world.reached()
  expectTruth()
  const { endpoints, senders } = world.run.status()
  expect(endpoints[0]?.wrongAnswers).toBeGreaterThan(0)
  const sent = new Set(loggedOf(world.run.events).map(({ tx }) => tx?.hash))
  expect(senders).toEqual({ proven: sent.size, word: 0 })
})
