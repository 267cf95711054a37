/** Events of the simulated node, over HTTP: through forks, starts and what is read of the past. */
import { Effect, Exit, Fiber, Scope, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { localServer } from "../../../test/support/local-http.ts"
import { effective } from "../../../test/support/tape-input.ts"
import type { Event } from "../../event.ts"
import { eventsOf } from "../../event-objects.ts"
import { VIRTUAL_RESERVE } from "../../pool-parameters.ts"
import type { LogTail, Source } from "../../source.ts"
import { USDC } from "../solana-devchain/addresses.ts"
import { type SolanaNode, startNode } from "../solana-devchain/node.ts"
import { solanaTapeSource } from "./tape-source.ts"

const scope = Effect.runSync(Scope.make())
let node: SolanaNode

const step = async (times: number) => {
  for (let i = 0; i < times; i++) await Effect.runPromise(node.step)
}

beforeAll(async () => {
  const plan = { seed: "tape", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
  node = await Effect.runPromise(startNode(plan).pipe(Scope.provide(scope)))
  await step(60)
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const open = (): Source =>
  Effect.runSync(solanaTapeSource({ endpoints: [node.url], start: null, genesisHash: null }))

const EMPTY: LogTail = { blocks: [], knownPools: [], knownTokens: [] }

/** Follows the head after a tail, and keeps the events. */
const follow = (source: Source, tail: LogTail) => {
  const events: Array<Event> = []
  const reading = Stream.runForEach(source.batches(tail), batch =>
    Effect.sync(() => {
      for (const event of eventsOf(batch)) events.push(event)
    })
  )
  const fiber = Effect.runFork(reading)
  return { events, stop: () => Effect.runPromise(Fiber.interrupt(fiber)) }
}

const sealed = (events: ReadonlyArray<Event>) =>
  effective(events).flatMap(({ kind, block }) => (kind === "BlockSealed" ? [block] : []))

/** Hashes of the chain's blocks from a slot on, as the node has them. */
const truth = (from: number) =>
  Array.from({ length: node.bank.head.slot - from + 1 }, (_, i) => from + i).flatMap(
    slot => node.bank.at(slot)?.blockhash ?? []
  )

const swapsIn = (events: ReadonlyArray<Event>) =>
  effective(events).filter(({ kind }) => kind === "SwapExecuted")

/** What a log of these events tells a source that goes on. */
const tailOf = (events: ReadonlyArray<Event>): LogTail => {
  const all = effective(events)
  return {
    blocks: sealed(events).map(({ number, hash, time }) => ({ number, hash, time })),
    knownPools: all.flatMap(one => (one.kind === "PoolCreated" ? [one.pool] : [])),
    knownTokens: all.flatMap(one => (one.kind === "TokenSeen" ? [one.token] : []))
  }
}

it("follows the head through a fork and a start, and tells each pool once", async () => {
  const source = open()
  const first = follow(source, EMPTY)
  await expect.poll(() => sealed(first.events).length).toBe(1)
  const from = sealed(first.events)[0]?.number as number
  await step(30)
  const hashes = (events: ReadonlyArray<Event>) => sealed(events).map(({ hash }) => hash)
  await expect.poll(() => hashes(first.events)).toEqual(truth(from))
  expect(node.bank.fork(3)).toBe(true)
  await step(6)
  await expect.poll(() => hashes(first.events)).toEqual(truth(from))
  expect(first.events.filter(({ kind }) => kind === "Rollback")).toMatchObject([
    { reason: "reorg", block: { time: expect.any(Number) } }
  ])
  await first.stop()
  await step(25)
  const again = open()
  const second = follow(again, tailOf(first.events))
  const all = () => [...first.events, ...second.events]
  await expect.poll(() => hashes(all())).toEqual(truth(from))
  await second.stop()
  const pools = effective(all()).flatMap(one => (one.kind === "PoolCreated" ? [one.pool] : []))
  expect(new Set(pools).size).toBe(pools.length)
  expect(swapsIn(all()).length).toBeGreaterThan(10)
  const seen = effective(all()).flatMap(one => (one.kind === "TokenSeen" ? [one] : []))
  expect(new Set(seen.map(({ token }) => token)).size).toBe(seen.length)
  expect(seen.find(({ token }) => token === USDC)).toMatchObject({ symbol: "USDC", decimals: 6 })
  expect(seen.filter(({ symbol }) => symbol === null)).toEqual([])
  expect(again.status()).toMatchObject({ kind: "solana-rpc", quarantined: 0 })
  // reserves, and what is virtual of them, stand ahead of their swap, and are of it
  const isOfSwap = (one: Event): boolean =>
    one.kind === "ReservesSynced" ||
    (one.kind === "PoolParameterSet" && one.name === VIRTUAL_RESERVE)
  const told = second.events.filter(one => one.tx !== null && !isOfSwap(one))
  expect(again.status().logs).toBe(told.length)
})

it("asks for tokens of which nothing was read before the start", async () => {
  const first = follow(open(), EMPTY)
  await expect.poll(() => sealed(first.events).length).toBeGreaterThan(0)
  await first.stop()
  const unread = [{ token: USDC, decimals: 6 }]
  const tail = { ...tailOf(first.events), knownTokens: [USDC], unread }
  const second = follow(open(), tail)
  await step(3)
  const told = () => second.events.filter(one => one.kind === "TokenSeen" && one.token === USDC)
  await expect.poll(told).toMatchObject([{ symbol: "USDC", decimals: 6 }])
  await second.stop()
})

it("reads the past with the events that the head had", async () => {
  await step(40)
  const source = open()
  const [oldest] = node.bank.slots(1, Number.MAX_SAFE_INTEGER)
  const range = { fromBlock: oldest as number, toBlock: node.bank.head.slot - 35 }
  const read: Array<Event> = []
  const past = source.past?.(range, EMPTY, "ranges") ?? Stream.empty
  await Effect.runPromise(
    Stream.runForEach(past, batch => Effect.sync(() => read.push(...eventsOf(batch))))
  )
  expect(sealed(read).map(({ hash }) => hash)).toEqual(
    truth(range.fromBlock).slice(0, sealed(read).length)
  )
  expect(sealed(read).at(-1)?.number).toBe(range.toBlock)
  expect(swapsIn(read).length).toBeGreaterThan(10)
})

it("asks at the head for tokens of the past that no node told of there", async () => {
  let isMute = true
  const server = await localServer(async ({ body }) => {
    if (isMute && body.includes("getMultipleAccounts")) return { status: 500, body: {} }
    return { body: await (await fetch(node.url, { method: "POST", body })).json() }
  })
  const [oldest] = node.bank.slots(1, Number.MAX_SAFE_INTEGER)
  const plan = { endpoints: [server.url], start: null, genesisHash: null }
  const source = Effect.runSync(solanaTapeSource(plan))
  const range = { fromBlock: oldest as number, toBlock: node.bank.head.slot - 35 }
  const read: Array<Event> = []
  const past = source.past?.(range, EMPTY, "ranges") ?? Stream.empty
  await Effect.runPromise(
    Stream.runForEach(past, batch => Effect.sync(() => read.push(...eventsOf(batch))))
  )
  const tokens = read.flatMap(one => (one.kind === "TokenSeen" ? [one] : []))
  expect(new Set(tokens.map(({ symbol }) => symbol))).toEqual(new Set([null]))
  isMute = false
  // the head asks for no token by itself that is known
  const knownTokens = tokens.map(({ token }) => token)
  const { events, stop } = follow(source, { ...EMPTY, knownTokens })
  const named = () =>
    new Set(events.flatMap(one => (one.kind === "TokenSeen" && one.symbol ? [one.token] : [])))
  await expect
    .poll(async () => {
      await step(1)
      return tokens.filter(({ token }) => !named().has(token))
    })
    .toEqual([])
  await stop()
  await server.close()
})

it("names who told what cannot follow the log", async () => {
  // a log of files may end with a part of a block, whose hash nobody knows
  const blocks = [{ number: node.bank.head.slot + 1_000, hash: null, time: 1 }]
  const reading = Stream.runDrain(open().batches({ ...EMPTY, blocks }))
  const { message } = await Effect.runPromise(Effect.flip(reading))
  const head = /block (\d+) after/.exec(message)?.[1]
  expect(message).toBe(
    `out of order: block ${head} after block ${blocks[0]?.number}, ` +
      `as ${new URL(node.url).host} tells it`
  )
})
