/** The source against nodes that ask to be left alone. */
import { expect, it } from "vitest"
import { type Fault, grown } from "../../../test/support/fake-solana.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource } from "../../../test/support/solana-reading.ts"

const { nodeOf, follow } = testNodes()

it("leaves who limits alone for as long as it asks, and uses another", async () => {
  const chain = grown(20)
  const limits: Fault = () => ({ status: 429, headers: { "retry-after": "60" }, body: "slow" })
  const source = openSource([await nodeOf(chain, limits), await nodeOf(chain)])
  const following = follow(source)
  await expect.poll(() => following.chain.blocks.length).toBe(1)
  const [limited, used] = source.status().endpoints
  expect(limited).toMatchObject({
    state: "resting",
    problem: `${limited?.endpoint} getGenesisHash: HTTP 429 "slow"; it is asked again in 60 s`
  })
  expect(limited?.restMs).toBeGreaterThan(30_000)
  expect(used).toMatchObject({ errors: 0 })
  expect(source.status().grades).toEqual({ word: 1 })
})

it("says how long the only endpoint is left alone, however long it asks for", async () => {
  const limits: Fault = () => ({ status: 429, headers: { "retry-after": "86400" }, body: "slow" })
  const source = openSource([await nodeOf(grown(20), limits)])
  follow(source)
  await expect.poll(() => source.status().state).toBe("retrying")
  const { problem, endpoints, description } = source.status()
  expect(problem).toBe(
    `${description} getGenesisHash: HTTP 429 "slow"; ` +
      "it is asked again in 300 s, though it asks to be left alone for 86400 s"
  )
  expect(endpoints[0]?.restMs).toBeGreaterThan(120_000)
  expect(endpoints[0]?.restMs).toBeLessThanOrEqual(300_000)
})
