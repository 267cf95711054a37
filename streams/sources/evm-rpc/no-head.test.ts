/** A node that answers, and tells of no block. */
import { afterEach, beforeEach, expect, it } from "vitest"
import { randomTxs } from "../../../test/support/fake-market.ts"
import { noFaults } from "../../../test/support/fake-rpc-methods.ts"
import { RpcWorld } from "../../../test/support/rpc-world.ts"
import { random } from "../../../test/support/seed.ts"

let world: RpcWorld
beforeEach(() => {
  world = new RpcWorld()
})
afterEach(() => world.end())

it("is not called live again before it tells of one", async () => {
  const r = random("no head")
  const node = await world.node({}, "no head")
  for (let i = 0; i < 4; i++) world.chain.mine(randomTxs(r, 3))
  await world.start()
  await world.reached()

  node.faults.nothing = true
  const asked = () => node.calls.get("eth_getBlockByNumber") ?? 0
  await world.until("trouble", () => world.run.status().state === "retrying")
  const before = asked()
  const seen = new Set<string>()
  await world.until("further questions", () => {
    seen.add(world.run.status().state)
    return asked() >= before + 5
  })
  expect([...seen]).toEqual(["retrying"])
  expect(world.run.status().problem).toMatch(/eth_getBlockByNumber: malformed result$/)

  Object.assign(node.faults, noFaults())
  world.chain.mine(randomTxs(r, 3))
  await world.reached()
  await world.until("the end of it", () => world.run.status().state === "live")
  expect(world.run.status().problem).toBe(null)
})
