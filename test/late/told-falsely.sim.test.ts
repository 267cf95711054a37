/**
 * An endpoint of Solana exchanges what is in transactions under their signatures, which no other
 * answer shows. Once the audit has found it out, all that it told is read again from others: what
 * is in the log, and what is read of history but not in its place yet.
 */
import { Effect, Exit, Scope, Stream } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"
import { eventsOf } from "../../streams/event-objects.ts"
import { DOUBTED_GAP } from "../../streams/source.ts"
import { type SolanaNode, startNode } from "../../streams/sources/solana-devchain/node.ts"
import { solanaTapeSource } from "../../streams/sources/solana-rpc/tape-source.ts"
import { logNow, startLate } from "../support/late-run.ts"
import { type LocalServer, localServer } from "../support/local-http.ts"
import { type LogServer, startLogServer } from "../support/log-server.ts"
import { EMPTY_TAIL } from "../support/solana-reading.ts"

const scope = Effect.runSync(Scope.make())
const servers: Array<LocalServer> = []
let node: SolanaNode
let log: LogServer
const step = async (times: number) => {
  for (let i = 0; i < times; i++) await Effect.runPromise(node.step)
}
beforeAll(async () => {
  const plan = { seed: "falsely", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
  node = await Effect.runPromise(startNode(plan).pipe(Scope.provide(scope)))
  await step(80)
  log = await startLogServer()
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await log.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

interface Told {
  readonly transactions?: Array<{ transaction: { signatures: ReadonlyArray<string> } }>
}

/** Each transaction is told with what is in another. */
const exchanged = ({ transactions = [] }: Told): void => {
  const signatures = transactions.map(one => one.transaction.signatures)
  transactions.reverse()
  for (const [at, { transaction }] of transactions.entries()) {
    transaction.signatures = signatures[at] ?? []
  }
}

/** What of the past is held back, and until when. */
interface Held {
  readonly slot: number
  readonly until: Promise<void>
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const isOfWhole = ({ method, params }: Call): boolean =>
  method === "getBlock" && JSON.stringify(params).includes('"full"')

/** The node's answers, but of whole blocks what a liar makes of them, or none for a while. */
const telling = async (held: Held, lie: (told: Told) => void, mayTell = () => true) => {
  const server = await localServer(async ({ body }) => {
    const call = JSON.parse(body) as Call
    if (call.method === "getBlock" && call.params[0] === held.slot) await held.until
    if (isOfWhole(call) && !mayTell()) {
      return { body: { id: call.id, error: { code: -32004, message: "Block not available" } } }
    }
    const answer = (await (await fetch(node.url, { method: "POST", body })).json()) as {
      readonly result?: Told
    }
    if (isOfWhole(call) && answer.result !== undefined) lie(answer.result)
    return { body: answer }
  })
  servers.push(server)
  return server.url
}

const sourceOf = (endpoints: ReadonlyArray<string>, start: number | null) =>
  solanaTapeSource({
    ...{ endpoints, start, genesisHash: null, pollMs: 5 },
    rpc: { timeoutMs: 30_000, maxAnswerBytes: 10_000_000 },
    retry: { firstMs: 2, longestMs: 40, others: 0.05 }
  })

const TRADES = new Set(["SwapExecuted", "ReservesSynced"])

/** What was traded in some slots, as a log tells it. */
const tradesIn = (events: ReadonlyArray<Event>, from: number, to: number) =>
  events.flatMap(({ block: { number, hash }, tx, logIndex, ...fact }) =>
    TRADES.has(fact.kind) && number >= from && number <= to
      ? [{ number, hash, signature: tx?.hash, logIndex, fact }]
      : []
  )

const truthOf = async (fromBlock: number, toBlock: number) => {
  const source = await Effect.runPromise(sourceOf([node.url], null))
  const past = source.past?.({ fromBlock, toBlock }, EMPTY_TAIL, "ranges") ?? Stream.empty
  const batches = await Effect.runPromise(Stream.runCollect(past))
  return tradesIn(batches.flatMap(eventsOf), fromBlock, toBlock)
}

it("is read again from others, wherever it is", async () => {
  const [floor = 0] = node.bank.slots(1, Number.MAX_SAFE_INTEGER)
  const start = node.bank.head.slot - 36
  const lastOfHistory = node.bank.slots(floor, start - 1).at(-1) ?? 0
  let release = () => {}
  const until = new Promise<void>(resolve => {
    release = resolve
  })
  const held = { slot: lastOfHistory, until }
  // at first the liar alone tells whole blocks
  let isLate = true
  const honest = () =>
    telling(
      held,
      () => undefined,
      () => !isLate
    )
  const endpoints = [await telling(held, exchanged), await honest(), await honest()]
  const source = await Effect.runPromise(sourceOf(endpoints, start))
  const options = { endpoints, chain: solana, floor, minPart: 10_000 }
  const run = await startLate(log, { ...options, source: Effect.succeed(source) })
  const wrong = () => source.status().endpoints.map(({ wrongAnswers }) => wrongAnswers > 0)
  const isAtHead = () => run.loggedBlock() === node.bank.head.slot
  const next = async () => {
    await step(1)
    await expect.poll(isAtHead).toBe(true)
  }
  await next()
  const isAskedFor = () => servers[0]?.requests.some(({ body }) => body.includes(`${held.slot}`))
  await expect.poll(isAskedFor).toBe(true)
  isLate = false
  for (let found = false; !found; found = wrong()[0] === true) await next()
  // the gap is told with a next block, and may be filled by the time that it is looked for
  const isTold = async () =>
    (await logNow(log, solana.key)).events.some(
      event => event.kind === "GapFound" && event.reason === DOUBTED_GAP
    )
  for (let told = false; !told; told = await isTold()) await next()
  expect(run.late.history?.state).toBe("reading")
  release()
  const to = node.bank.head.slot
  await step(40)
  await expect.poll(() => isAtHead() && run.isWhole()).toBe(true)
  expect([run.ended(), wrong()]).toEqual([null, [true, false, false]])
  await run.kill()
  const { events, gaps: left } = await logNow(log, solana.key)
  expect(left).toEqual([])
  // where nobody but the liar is heard in time a block is a word, which is read again later
  const words = new Set(
    events.flatMap(one =>
      one.kind === "BlockSealed" && one.grade === "word" ? [one.block.number] : []
    )
  )
  const isKnown = ({ number }: { readonly number: number }) => !words.has(number)
  const truth = (await truthOf(floor, to)).filter(isKnown)
  expect(truth.length).toBeGreaterThan(80)
  expect(tradesIn(events, floor, to).filter(isKnown)).toEqual(truth)
})
