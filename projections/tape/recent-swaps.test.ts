import { Effect } from "effect"
import { expect, it } from "vitest"
import type { QueryAnswer } from "../../engine/lane/protocol.ts"
import type { Frame } from "../../engine/projection.ts"
import { ask, type QueryRequest } from "../../engine/query.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { openStore } from "../../engine/store/store.ts"
import type { Event } from "../../streams/event.ts"
import { asText } from "../../test/support/answer-text.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { random, seed } from "../../test/support/seed.ts"
import { withUses } from "../all.ts"
import { NEWEST } from "./cursor.ts"
import { tapeOutput } from "./output.ts"
import { chainTrades } from "./queries.ts"

const NAME = `${seed}/recent tape`

/** A lane, read while it folds, and by folds that remember nothing but what its tables hold. */
const openWorld = Effect.gen(function* () {
  const [usd, native] = testChain.anchors
  const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "")
  const log = new MemoryLog()
  const folds = newFoldSet(testChain, withUses(tapeOutput))
  const store = yield* openStore(":memory:", folds.tables, { threads: 1 })
  const core = yield* loadCore(store, folds, log.read)
  const queries = yield* openQueries(store, testChain, folds, core)
  const recent = folds.output(tapeOutput).recent
  /** queries of what is committed by now */
  const onTables = Effect.gen(function* () {
    const loaded = yield* loadCore(store, newFoldSet(testChain, withUses(tapeOutput)), log.read)
    return yield* openQueries(store, testChain, loaded.folds, loaded)
  })
  return { r: random(NAME), market, log, core, queries, onTables, recent }
})

type World = Effect.Success<typeof openWorld>

/** Back to an earlier segment, and on from there on another branch. */
const fork = ({ r, log, core }: World, next: ReadonlyArray<Event>) => {
  const to = log.segments[r.integer(0, log.segments.length - 2)]?.header
  const last = log.segments.at(-1)?.header
  if (to === undefined || last === undefined) return Effect.void
  const rollback = {
    kind: "Rollback",
    block: next[0]?.block,
    tx: null,
    logIndex: 0,
    toSeq: to.lastSeq,
    toBlock: to.lastBlock,
    toHash: to.lastBlockHash,
    fromBlock: last.lastBlock,
    reason: "reorg"
  } as Event
  return applySegment(core, log.append([rollback, ...next]))
}

const bodyOf = (answer: unknown) =>
  JSON.parse(new TextDecoder().decode((answer as { readonly body: Uint8Array }).body))

interface Asked {
  readonly request: QueryRequest
  readonly answer: QueryAnswer
}

/** Reads every token's prints page by page to the end, both ways, as far as they are folded. */
const readAll = ({ r, market, core, queries, recent }: World) =>
  Effect.gen(function* () {
    const found = { memory: 0, rows: 0 }
    const asked: Array<Asked> = []
    const { seq, blockTime } = core.pending ?? core.committed
    for (const { address } of market.tokens) {
      let cursor = NEWEST
      if (r.integer(0, 4) === 0) cursor = { ...NEWEST, beforeTs: blockTime - r.integer(-5, 90) }
      for (let page = 0; page < 8; page++) {
        const request = ask(chainTrades, { token: address, limit: r.integer(1, 40), ...cursor })
        const spied = { isFromMemory: false }
        const { walk } = recent
        recent.walk = (...args) => {
          spied.isFromMemory = walk.apply(recent, args)
          return spied.isFromMemory
        }
        const answer = yield* queries.answer(request)
        recent.walk = walk
        found[spied.isFromMemory ? "memory" : "rows"]++
        expect(answer.seq).toBe(seq)
        asked.push({ request, answer })
        const { nextBefore } = bodyOf(answer)
        if (nextBefore === null) break
        const [ts = 0, block = 0, log = 0] = String(nextBefore).split(":").map(Number)
        cursor = { beforeTs: ts, beforeBlock: block, beforeLogIndex: log }
      }
    }
    return { found, asked }
  })

/** The same from the tables alone. */
const compare = ({ onTables }: World, asked: ReadonlyArray<Asked>) =>
  Effect.gen(function* () {
    const queries = yield* onTables
    for (const { request, answer } of asked) {
      const told = asText(yield* queries.answer(request))
      expect(asText(answer), JSON.stringify(request)).toEqual(told)
    }
  }).pipe(Effect.scoped)

const NOBODY = `0x${"99".repeat(20)}`

/** A topic of each sort, those of amounts too, and such of which there are no prints. */
const topicsOf = ({ tokens, pools, wallets }: World["market"]) => [
  ...["*", "*>=0", "*>=100", "*>=100.5"],
  ...tokens.flatMap(({ address }) => [address, `${address}>=1000`]),
  ...pools.flatMap(({ address }) => [`pool:${address}`, `pool:${address}>=10`]),
  ...[NOBODY, ...wallets].flatMap(wallet => [`wallet:${wallet}`, `wallet:${wallet}>=10`])
]

/** What topics tell of prints is what the chain's topic tells of them. */
const compareTopics = (frames: ReadonlyArray<Frame>, { pools, wallets }: World["market"]) => {
  const tradesOf = (topic: string) =>
    frames.filter(({ key }) => key === topic).map(({ body }) => JSON.parse(body).trade)
  const all = tradesOf("*")
  for (const { address } of pools) {
    expect(tradesOf(`pool:${address}`)).toEqual(all.filter(({ pool }) => pool === address))
  }
  for (const one of wallets) {
    const his = all.filter(({ wallet, usd }) => wallet === one && usd !== null && usd >= 10)
    expect(tradesOf(`wallet:${one}>=10`)).toEqual(his)
  }
  const isLarge = ({ usd }: { readonly usd: number | null }) => usd !== null && usd >= 100.5
  expect(tradesOf("*>=100.5")).toEqual(all.filter(isLarge))
  return all.length
}

/** Commits; what memory told of it before must be what the tables tell after. How many it told. */
const commit = ({ market, core, queries }: World) =>
  Effect.gen(function* () {
    const { committed, pending } = core
    if (pending === null) return 0
    const wanted = new Map([["trades", new Set(topicsOf(market))]])
    const { channels, frames } = queries.framesInMemory(committed.seq, pending, wanted)
    yield* commitPending(core)
    if (channels.length === 0) return 0
    expect(channels).toEqual(["trades"])
    expect(frames).toEqual(yield* queries.frames(committed.seq, wanted))
    compareTopics(frames, market)
    return frames.length
  })

it("gives the very pages and frames that the tables give", () =>
  Effect.gen(function* () {
    console.log(`recent tape: SEED=${seed}`)
    const world = yield* openWorld
    const { r, log, core, market } = world
    const known = new Set<string>()
    const total = { memory: 0, rows: 0, frames: 0 }
    let [block, branch] = [0, 0]
    const events = () => {
      block += r.pick([1, 3, 97])
      return marketBlock(NAME, market, `branch ${branch}`, block, null, r.integer(1, 30), known)
    }
    // after a fork the tables alone know what was before it
    const isEnough = () => total.memory > 100 && total.rows > 20 && total.frames > 30
    for (let step = 0; step < 8 || (!isEnough() && step < 100); step++) {
      if (step % 4 === 3) {
        branch++
        yield* fork(world, events())
      }
      for (let i = r.integer(0, 2); i >= 0; i--) yield* applySegment(core, log.append(events()))
      if (r.boolean()) total.frames += yield* commit(world)
      // what is folded is seen as it will be once it is committed
      const { found, asked } = yield* readAll(world)
      total.frames += yield* commit(world)
      yield* compare(world, asked)
      total.memory += found.memory
      total.rows += found.rows
    }
    expect(total.memory).toBeGreaterThan(100)
    expect(total.rows).toBeGreaterThan(20)
    expect(total.frames).toBeGreaterThan(30)
  }).pipe(Effect.scoped, Effect.runPromise))
