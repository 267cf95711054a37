/** The source against the simulated node, over HTTP, with the slots and forks that it makes. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import {
  followSource,
  openSource,
  ReadChain,
  readRange
} from "../../../test/support/solana-reading.ts"
import { nothingChecked, withBlock } from "../../solana/checked-transactions.ts"
import { solanaVenues } from "../../solana/venues.ts"
import { type SolanaNode, startNode } from "../solana-devchain/node.ts"

const scope = Effect.runSync(Scope.make())
const venues = new Map(solanaVenues.map(venue => [venue.program, venue]))
let node: SolanaNode

const step = async (times: number) => {
  for (let i = 0; i < times; i++) await Effect.runPromise(node.step)
}

beforeAll(async () => {
  const plan = { seed: "source", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
  node = await Effect.runPromise(startNode(plan).pipe(Scope.provide(scope)))
  await step(60)
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const truth = (from: number) => {
  const slots = Array.from({ length: node.bank.head.slot - from + 1 }, (_, i) => from + i)
  return slots.flatMap(slot => node.bank.at(slot)?.blockhash ?? [])
}

const hashes = (chain: ReadChain) => chain.blocks.map(({ hash }) => hash)

const checked = (chain: ReadChain) =>
  chain.blocks.reduce((so, block) => withBlock(so, block, venues), nothingChecked(solanaVenues))

it("follows its head through forks, and what it gives out holds no bad swap", async () => {
  const source = openSource([node.url], [...venues.keys()])
  const following = followSource(source)
  const { chain } = following
  await expect.poll(() => chain.blocks.length).toBe(1)
  const from = chain.blocks[0]!.slot
  await step(8)
  await expect.poll(() => hashes(chain)).toEqual(truth(from))
  expect(node.bank.fork(3)).toBe(true)
  await step(5)
  await expect.poll(() => hashes(chain)).toEqual(truth(from))
  await step(20)
  await expect.poll(() => hashes(chain)).toEqual(truth(from))
  await following.stop()
  expect([chain.rollbacks, source.status().reorgs]).toEqual([1, 1])
  const { bad, transactions, table } = checked(chain)
  const all = chain.blocks.flatMap(({ slot }) => node.bank.at(slot)?.transactions ?? [])
  expect([bad, transactions]).toEqual([[], all.length])
  expect(table.get(3)?.ok).toBeGreaterThan(0)
})

it("reads its past, of which some slots have no block", async () => {
  const [from, to] = [node.bank.first.slot + 1, node.bank.finalized - 1]
  const source = openSource([node.url], [...venues.keys()])
  const chain = await readRange(source, from, to)
  if (!(chain instanceof ReadChain)) throw new Error(chain)
  const slots = Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const blocks = slots.flatMap(slot => node.bank.at(slot) ?? [])
  expect(blocks.length).toBeLessThan(slots.length)
  expect(hashes(chain)).toEqual(blocks.map(({ blockhash }) => blockhash))
  expect(checked(chain).bad).toEqual([])
})
