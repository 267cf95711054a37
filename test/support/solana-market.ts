/**
 * The simulated Solana as a log has it: a pinned chain that its lane's own source followed over
 * HTTP, names of tokens and a fork with it. What it holds is the seed's; nothing is written by hand.
 */
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { expect, vi } from "vitest"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { type SolanaNode, startNode } from "../../streams/sources/solana-devchain/node.ts"
import { solanaTapeSource } from "../../streams/sources/solana-rpc/tape-source.ts"
import type { Branch } from "./folded-every-way.ts"
import { PATIENCE_MS } from "./patience.ts"
import { EMPTY_TAIL } from "./solana-reading.ts"

/** Long slots, so that few of them are minutes of candles and prices. */
const SLOT_MS = 7_000
const START_MS = 1_790_000_000_000

export interface SolanaMarketPlan {
  readonly seed: string
  /** slots up to the fork, those that it takes back, and those that come in their place */
  readonly slots: Parts
  /** segments that each of them is written in, in turns a short one and a long one */
  readonly segments: Parts
}

type Parts = readonly [common: number, left: number, after: number]

/** A chain in segments of some blocks each, with the branch that it left. */
export interface SolanaMarket extends Branch {
  readonly blocks: ReadonlyArray<ReadonlyArray<Event>>
}

const source = (node: SolanaNode) =>
  solanaTapeSource({
    ...{ endpoints: [node.url], start: node.bank.first.slot, genesisHash: null },
    rpc: { timeoutMs: 3_000, maxAnswerBytes: 10_000_000 },
    retry: { firstMs: 2, longestMs: 40, others: 0.05 },
    pollMs: 5
  })

/** Keeps all events that a lane of the node would log, by a clock of its own. */
const follow = (node: SolanaNode) => {
  const events: Array<Event> = []
  const reading = Effect.flatMap(source(node), ({ batches }) =>
    Stream.runForEach(batches(EMPTY_TAIL), batch =>
      Effect.sync(() => events.push(...eventsOf(batch)))
    )
  )
  const fiber = Effect.runFork(reading)
  const atHead = () =>
    vi.waitFor(() => expect(events.at(-1)?.block.hash).toBe(node.bank.head.blockhash), {
      ...{ timeout: PATIENCE_MS, interval: 5 }
    })
  return { events, atHead, stop: () => Effect.runPromise(Fiber.interrupt(fiber)) }
}

/** Runs a chain, forks it once, and returns all that its follower was told. */
const eventsOfChain = ({ seed, slots: [common, left, after] }: SolanaMarketPlan) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(START_MS)
    const plan = { seed, users: 12, pooled: 3, curves: 3, slotMs: SLOT_MS, port: 0 }
    const node = yield* startNode(plan)
    const following = follow(node)
    yield* Effect.addFinalizer(() => Effect.promise(following.stop))
    const step = Effect.andThen(TestClock.adjust(SLOT_MS), node.step)
    yield* Effect.repeat(step, { times: common + left - 1 })
    yield* Effect.promise(following.atHead)
    const { bank } = node
    node.bank.fork(bank.slots(bank.head.slot - left + 1, bank.head.slot).length)
    yield* Effect.repeat(step, { times: after - 1 })
    yield* Effect.promise(following.atHead)
    return following.events
  }).pipe(Effect.scoped, Effect.provide(TestClock.layer()), Effect.runPromise)

const inBlocks = (events: ReadonlyArray<Event>): ReadonlyArray<ReadonlyArray<Event>> => {
  const ends = events.flatMap(({ kind }, at) => (kind === "BlockSealed" ? [at + 1] : []))
  return ends.map((end, i) => events.slice(ends[i - 1] ?? 0, end))
}

/** Blocks in so many segments, of which every other one is three times as long. */
const inSegments = (
  blocks: ReadonlyArray<ReadonlyArray<Event>>,
  count: number
): ReadonlyArray<ReadonlyArray<Event>> => {
  const weights = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 1 : 3))
  const sum = weights.reduce((all, one) => all + one, 0)
  let [weight, from] = [0, 0]
  return weights.map(one => {
    weight += one
    const to = Math.round((blocks.length * weight) / sum)
    const events = blocks.slice(from, to).flat()
    from = to
    return events
  })
}

/** Runs a chain of some slots with one fork. */
export const solanaMarket = async (plan: SolanaMarketPlan): Promise<SolanaMarket> => {
  const events = await eventsOfChain(plan)
  const at = events.findIndex(({ kind }) => kind === "Rollback")
  const fork = events[at]
  if (fork?.kind !== "Rollback") throw new Error("the chain's follower was told of no fork")
  const [before, after] = [inBlocks(events.slice(0, at)), inBlocks(events.slice(at + 1))]
  const isCommon = ([first]: ReadonlyArray<Event>) => (first as Event).block.number <= fork.toBlock
  const [common, left] = [before.filter(isCommon), before.filter(one => !isCommon(one))]
  const [from, ofLeft, ofRest] = plan.segments
  const blocks = [...inSegments(common, from), ...inSegments(after, ofRest)]
  return { blocks, from, left: inSegments(left, ofLeft) }
}
