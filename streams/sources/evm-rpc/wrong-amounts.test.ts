/** Nodes that tell each log, with amounts which are not its own: no bloom shows these. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { assuranceOf } from "../../../src/domain/assurance.ts"
import { randomTxs } from "../../../test/support/fake-market.ts"
import { gapsOf, loggedOf, truthLogs } from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { random } from "../../../test/support/seed.ts"
import { effective } from "../../../test/support/tape-input.ts"

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

const r = random("wrong amounts")
const mine = (count: number) => {
  for (let i = 0; i < count; i++) world.chain.mine(randomTxs(r, 3))
}

const isTrue = () => {
  expect(gapsOf(world.run.events)).toEqual([])
  expect(loggedOf(world.run.events)).toEqual(truthLogs(world.chain))
}

/** Those of blocks that have logs. */
const grades = (from: number) => {
  const seals = effective(world.run.events).flatMap(event =>
    event.kind === "BlockSealed" && event.block.number >= from && event.logs > 0 ? [event] : []
  )
  return new Set(seals.map(({ grade }) => grade))
}

it.each([false, true])(
  "are found out by the root; receipts without fields: %s",
  async bareReceipts => {
    const liar = await world.node({}, "liar")
    await world.node({}, "honest")
    mine(10)
    await world.start()
    await world.reached()
    Object.assign(liar.faults, { wrongAmounts: true, bareReceipts })
    mine(10)
    await world.reached()
    isTrue()
    expect(grades(0)).toEqual(new Set(["root"]))
  }
)

it("are never called proven where nobody else is asked", async () => {
  const liar = await world.node({ wrongAmounts: true }, "liar")
  mine(10)
  await world.start()
  await world.reached()
  expect(loggedOf(world.run.events)).not.toEqual(truthLogs(world.chain))
  const [grade = "", ...others] = grades(0)
  expect([assuranceOf(grade), ...others]).toEqual(["word"])
  // who told them first is not believed for good
  Object.assign(liar.faults, { wrongAmounts: false })
  mine(5)
  await world.reached()
  Object.assign(liar.faults, { wrongAmounts: true, bareReceipts: true })
  const { number } = world.chain.head
  mine(4)
  await world.reached()
  expect(grades(number + 1)).toEqual(new Set(["unproven"]))
})
