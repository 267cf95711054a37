/** A node that told a head far beyond the chain's: what follows from it passes with the lie. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { randomTxs } from "../../../test/support/fake-market.ts"
import { loggedOf, truthLogs } from "../../../test/support/rpc-source.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { random } from "../../../test/support/seed.ts"

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

const mine = (blocks: number, label: string) => {
  const r = random(label)
  for (let i = 0; i < blocks; i++) world.chain.mine(randomTxs(r, 2))
}

/** Reads from a node that tells another chain's head, far beyond its own; then the truth. */
const readPast = async (proveHistory: boolean) => {
  const { chain } = world
  const far = new FakeChain(chain.chainId, chain.blockTime, "far")
  for (let i = 0; i < 160; i++) far.mine([])
  mine(40, "before")
  const { faults } = await world.node({ headOf: far })
  await world.start({ proveHistory })
  await world.until("history is read", () => world.run.status().headBlock === far.head.number)
  faults.headOf = null
  mine(3, "after")
  await world.reached()
  expect(loggedOf(world.run.events)).toEqual(truthLogs(chain))
  await world.until(
    "the head is the chain's",
    () => world.run.status().headBlock === chain.head.number
  )
}

it("history up to a head that was none is not waited for", () => readPast(false))

it("nor where each of its blocks is proven", () => readPast(true))
