import { Effect } from "effect"
import { expect, it } from "vitest"
import { Replica } from "../../engine/replica/replica.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import {
  applySegment,
  commitPending,
  loadCore,
  type SendChanges
} from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { beginSending } from "../../engine/runner/sending.ts"
import { KEEP_ALL, type Retention } from "../../engine/store/retention.ts"
import { openStore } from "../../engine/store/store.ts"
import type { Event } from "../../streams/event.ts"
import { asText } from "../../test/support/answer-text.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { marketBlock, newMarket } from "../../test/support/market.ts"
import { MemoryLog } from "../../test/support/memory-log.ts"
import { plainCandles } from "../../test/support/plain-candles.ts"
import { random, seed } from "../../test/support/seed.ts"
import { withUses } from "../all.ts"
import { candlesOutput } from "./output.ts"
import { timeFrames } from "./time-frame.ts"

const STEPS = process.env["SWAPTAPE_LONG"] === "1" ? 240 : 20

const NAME = `${seed}/recent candles`

/** A lane in memory whose log a test extends, forks, commits and starts again. */
const openWorld = (retention: Retention) =>
  Effect.gen(function* () {
    const r = random(NAME)
    const [usd, native] = testChain.anchors
    const market = newMarket(NAME, usd?.address ?? "", native?.address ?? "")
    const log = new MemoryLog()
    const known = new Set<string>()
    const folds = newFoldSet(testChain, withUses(candlesOutput))
    const store = yield* openStore(":memory:", folds.tables, { threads: 1, retention })
    const replica = new Replica(testChain, withUses(candlesOutput))
    const send: SendChanges = message => replica.receive(structuredClone(message))
    const core = yield* loadCore(store, folds, log.read, log.joined, { send })
    const queries = yield* openQueries(store, testChain, folds, core)
    beginSending(core)
    let block = 0
    const events = (branch: string): ReadonlyArray<Event> => {
      block += r.pick([1, 3, 97, 20_000])
      return marketBlock(NAME, market, branch, block, null, r.integer(1, 8), known)
    }
    return { r, market, log, store, core, queries, replica, events }
  })

type World = Effect.Success<ReturnType<typeof openWorld>>

/** Takes the log back by one segment at least, and forward on another branch. */
const fork = ({ r, log, core, events }: World, branch: string) => {
  const to = log.segments[r.integer(0, log.segments.length - 2)]?.header
  const last = log.segments.at(-1)?.header
  if (to === undefined || last === undefined) return Effect.void
  const next = events(branch)
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

/** Asks for random pages of every token both ways. */
const compare = ({ r, market, core, queries, replica }: World) =>
  Effect.gen(function* () {
    const found = { memory: 0, rows: 0 }
    for (const { address } of market.tokens) {
      const tf = r.pick(Object.keys(timeFrames))
      const width = timeFrames[tf]?.seconds ?? 60
      const back = () => core.committed.blockTime - width * r.integer(-2, 300)
      const params = {
        token: address,
        tf,
        limit: r.integer(1, 500),
        fill: r.boolean(),
        from: r.boolean() ? null : back(),
        to: r.boolean() ? null : back(),
        ...plainCandles
      }
      const copied = replica.answer({ name: "candles", params })
      found[copied === null ? "rows" : "memory"]++
      if (copied === null) continue
      const asked = yield* queries.answer({ name: "candles", params })
      expect(asText(copied), JSON.stringify(params)).toEqual(asText(asked))
    }
    return found
  })

it.each([
  { name: "all is kept", retention: KEEP_ALL },
  { name: "minutes leave", retention: { raw: 2, minutes: 2 } }
])("answers from copies with the very bytes that the rows give, where $name", ({ retention }) =>
  Effect.gen(function* () {
    console.log(`recent candles: SEED=${seed}`)
    const world = yield* openWorld(retention)
    const { r, log, core, events } = world
    const total = { memory: 0, rows: 0 }
    let branch = 0
    for (let step = 0; step < STEPS; step++) {
      if (step % 10 === 9) yield* fork(world, `branch ${++branch}`)
      else yield* applySegment(core, log.append(events(`branch ${branch}`)))
      // what is folded and not committed must not be seen; pages wait for facts that it changes
      const isLearned = core.folds.factsSeq > core.committed.seq
      if (r.boolean() || isLearned) yield* commitPending(core)
      const { memory, rows } = yield* compare(world)
      total.memory += memory
      total.rows += rows
    }
    // some of each: memory starts anew after a fork, and does not know empty pages
    expect(total.memory).toBeGreaterThan(STEPS / 3)
    expect(total.rows).toBeGreaterThan(STEPS / 12)
    const { keptFrom } = world.store
    const days = (core.committed.blockTime - keptFrom.minutes) / 86_400
    expect(keptFrom.minutes === 0 || (days >= 2 && days < 3)).toBe(true)
    expect(keptFrom.minutes > 0).toBe(retention.minutes !== null)
  }).pipe(Effect.scoped, Effect.runPromise)
)
