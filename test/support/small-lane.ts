/** A lane in memory with one pair of a token and a dollar, whose trades a test writes by hand. */
import { Effect } from "effect"
import { allPages } from "../../api/queries.ts"
import type { Page, Projection } from "../../engine/projection.ts"
import type { OutputKey } from "../../engine/query.ts"
import { newFoldSet } from "../../engine/runner/fold-set.ts"
import { applySegment, commitPending, loadCore } from "../../engine/runner/lane-core.ts"
import { openQueries } from "../../engine/runner/queries.ts"
import { KEEP_ALL, type Retention } from "../../engine/store/retention.ts"
import { openStore } from "../../engine/store/store.ts"
import { allProjections, withUses } from "../../projections/all.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { MemoryLog } from "./memory-log.ts"

/** Six decimals, as the dollar has. */
export const TOKEN = `0x${"a1".repeat(20)}`
export const DOLLAR: string = testChain.anchors[0]?.address ?? ""
const OTHER = `0x${"a2".repeat(20)}`
export const POOL = `0x${"b1".repeat(20)}`
const OTHER_POOL = `0x${"b2".repeat(20)}`
const UNIT = 1_000_000n

/** A fact of the block at this time, which is its number too. */
const at = (time: number, logIndex: number, fact: object): Event => {
  const hash = (number: number) => `0x${number.toString(16).padStart(64, "0")}`
  const block = { number: time, time, hash: hash(time), parentHash: hash(time - 1) }
  const tx = { hash: `0x${"22".repeat(32)}`, index: 0, from: null, to: null }
  return { block, tx, logIndex, ...fact } as Event
}

const seen = (
  time: number,
  token: string,
  symbol: string,
  totalSupply: bigint | null = null
): Event =>
  at(time, 0, {
    ...{ kind: "TokenSeen", tx: null, token, symbol, name: null, decimals: 6 },
    ...{ totalSupply, source: "call" }
  })

const created = (time: number, pool: string, token: string): Event =>
  at(time, 0, {
    ...{ kind: "PoolCreated", tx: null, pool, venueKind: "uniswap-v2", factory: null },
    ...{ tokens: [token, DOLLAR], fee: 3000, tickSpacing: null, source: "log" }
  })

/** What a log begins with. */
export const opening = (time: number): ReadonlyArray<Event> => [
  seen(time, TOKEN, "TKN", 21n * UNIT),
  seen(time, DOLLAR, "USDC"),
  created(time, POOL, TOKEN)
]

/** A pair of another token and the dollar, whose first sale gives it a price. */
export const other = (time: number): ReadonlyArray<Event> => [
  seen(time, OTHER, "OTH"),
  created(time, OTHER_POOL, OTHER)
]

/** The pair now holds so many whole tokens and dollars. */
export const reserves = (time: number, tokens: number, dollars: number): Event =>
  at(time, 1, {
    ...{ kind: "ReservesSynced", pool: POOL },
    ...{ reserve0: BigInt(tokens) * UNIT, reserve1: BigInt(dollars) * UNIT }
  })

/** Sells whole tokens for micro-dollars. */
export const sale = (
  time: number,
  tokens: number,
  microDollars: number,
  logIndex = 2,
  pool = POOL
): Event =>
  at(time, logIndex, {
    ...{ kind: "SwapExecuted", pool, venueKind: "uniswap-v2" },
    ...{ sender: null, recipient: null, amount0In: BigInt(tokens) * UNIT, amount0Out: 0n },
    ...{ amount1In: 0n, amount1Out: BigInt(microDollars), sqrtPriceX96: null, liquidity: null },
    ...{ tick: null, fee: null, token0: null, token1: null, index0: null, index1: null }
  })

/** A pool of a token for itself. */
export const twinPool = (time: number, pool: string): Event => {
  const one = created(time, pool, TOKEN)
  return { ...one, tokens: [TOKEN, TOKEN] } as Event
}

/** Sells one whole token of the other pair for two dollars, and so at a price. */
export const otherSale = (time: number): Event => sale(time, 1, 2_000_000, 2, OTHER_POOL)

/** Rolls the log back to a block's last event; its first block stands at `time`. */
export const undo = (time: number, toSeq: number): Event =>
  at(time + 1, 0, {
    ...{ kind: "Rollback", tx: null, toSeq, toBlock: time, toHash: null },
    ...{ fromBlock: time + 4, reason: "reorg" }
  })

export const sealed = (time: number, grade = "file"): Event =>
  at(time, 0, { kind: "BlockSealed", tx: null, logs: 1, grade })

/** A lane of these projections, with what its serving thread asks of it. */
const openLaneOf = (
  projections: ReadonlyArray<Projection>,
  pages: ReadonlyArray<Page>,
  retention: Retention,
  tailRows?: (declared: number) => number
) =>
  Effect.gen(function* () {
    const folds = newFoldSet(testChain, projections, tailRows)
    const store = yield* openStore(":memory:", folds.tables, { threads: 1, retention })
    const log = new MemoryLog()
    const core = yield* loadCore(store, folds, log.read)
    const queries = yield* openQueries(store, testChain, folds, core, pages)
    /** appends and folds, and commits nothing */
    const fold = (events: ReadonlyArray<Event>) => applySegment(core, log.append(events))
    /** a query's value, or its refusal, with the position it is of */
    const answer = (
      name: string,
      params: { readonly [name: string]: string | number | boolean | null }
    ) =>
      queries.answer({ name, params }).pipe(
        Effect.map(found => ({
          seq: found.seq,
          value: found.ok ? JSON.parse(new TextDecoder().decode(found.body)) : found.refusal
        }))
      )
    return {
      fold,
      answer,
      commitFolded: commitPending(core),
      store,
      output: folds.output,
      history: queries.history,
      frames: queries.frames,
      rows: queries.rows,
      /** appends and commits; answers the commit's position; `meanwhile` is done before it is there */
      commit: (events: ReadonlyArray<Event>, meanwhile = () => {}) =>
        Effect.gen(function* () {
          yield* fold(events)
          core.waiting.push({ look: meanwhile, wanted: "folds" })
          yield* commitPending(core)
          return core.committed.seq
        }),
      /** a query's value, or its refusal */
      ask: (...question: Parameters<typeof answer>) =>
        Effect.map(answer(...question), ({ value }) => value)
    }
  })

/** A lane of all projections; `tailRows` says how many rows memory keeps of so many declared. */
export const openSmallLaneThatKeeps = (
  retention: Retention,
  tailRows?: (declared: number) => number
) => openLaneOf(allProjections, allPages, retention, tailRows)

/** It keeps all. */
export const openSmallLane = openSmallLaneThatKeeps(KEEP_ALL)

/**
 * It keeps all of one projection and of what that uses, which answers the projection's queries. To
 * open a lane and to commit costs by the table.
 */
export const openLaneWith = (projection: OutputKey<unknown>) =>
  openLaneOf(withUses(projection), [], KEEP_ALL)
