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
import { solanaVenues, venuesByProgram as venues } from "../../solana/venues.ts"
import { CURVE_START } from "../solana-devchain/account-data.ts"
import { USDC, WSOL } from "../solana-devchain/addresses.ts"
import { makeMarket } from "../solana-devchain/market.ts"
import { type SolanaNode, startNode } from "../solana-devchain/node.ts"
import { exists } from "../solana-devchain/states.ts"
import { tokenName } from "../solana-devchain/token-names.ts"

const scope = Effect.runSync(Scope.make())
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

it("reads what its tokens say, of those it begins with and of one that is launched", async () => {
  const market = await Effect.runPromise(makeMarket(node.genesis))
  await Effect.runPromise(market.read(node.bank))
  const launch = market.nextLaunch
  if (launch === undefined) throw new Error("nothing launches")
  const { name, symbol, mint } = launch
  for (let i = 0; i < 600 && !exists(node.bank, mint.address); i++) await step(1)
  const pooled = node.genesis.pooledMints[0]!
  const wallet = node.genesis.users[0]!.signer.address
  const asked = [USDC, pooled, mint.address, WSOL, wallet, "no address", USDC]
  const tokens = await Effect.runPromise(openSource([node.url]).tokens(asked))
  const facts = [
    { name: "USD Coin", symbol: "USDC", decimals: 6, totalSupply: 10n ** 18n },
    { ...tokenName("source", 1), decimals: 6, totalSupply: 10n ** 18n },
    { name, symbol, decimals: 6, totalSupply: CURVE_START.supply },
    { name: "Wrapped SOL", symbol: "SOL", decimals: 9, totalSupply: 0n },
    ...[0, 1].map(() => ({ name: null, symbol: null, decimals: null, totalSupply: null }))
  ]
  expect(tokens).toEqual(
    asked.map((token, i) => ({ token, source: "call", ...(facts[i] ?? facts[0]) }))
  )
})
