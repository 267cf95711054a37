/** The newest prints of the whole chain, each as its base token sees it. */
import { Effect } from "effect"
import type { QueryContext, QueryParams, ReadError, Row, Settled } from "../../engine/projection.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { markets } from "../markets/output.ts"
import { windowAt } from "../markets/window.ts"
import { ingestFloorOf } from "../prices/ingest-floor.ts"
import {
  type Cursor,
  cursorOf,
  cursorText,
  HAS_TOKEN,
  isBefore,
  positionBefore
} from "../tape/cursor.ts"
import { tapeOutput } from "../tape/output.ts"
import { microDollars } from "../tape/queries.ts"
import { baseOf, swapRow } from "../tape/swap-row.ts"
import { TokenView } from "./token-row.ts"

type Memory = Omit<QueryContext, "rows">

/** Positions of the log that one page looks through at most, from its first print back. */
export const LOOK_BACK = 65_536

/** What a page is made of. */
interface Found {
  readonly rows: ReadonlyArray<Row>
  /** the oldest print looked at; null where there was none */
  readonly last: Row | null
  /** whether a print stands before it */
  readonly more: boolean
}

type Flags = (token: number) => { readonly wash?: true; readonly impostor?: true }

/** Flags of tokens as of the commit, also when the folds have gone on. */
const flagsAt = (context: Memory): Flags => {
  const view = new TokenView(context, windowAt(context.output(markets), context.blockTime))
  const washed = new Set<number>()
  const count = view.facts.tokens.count()
  for (let token = 0; token < count; token++) if (view.isWash(token)) washed.add(token)
  return token =>
    token === NONE
      ? {}
      : {
          ...(washed.has(token) ? { wash: true } : {}),
          ...(view.isImpostor(token) ? { impostor: true } : {})
        }
}

const pageOf = (context: Memory, { rows, last, more }: Found, flags: Flags) => ({
  chain: context.chain.id,
  prints: rows.map(row => ({ ...swapRow(context, row), ...flags(baseOf(context, row)) })),
  nextBefore: more && last !== null ? cursorText(last) : null,
  searchedTo: last === null ? null : { ts: Number(last["ts"]), block: Number(last["block"]) },
  ingestFloor: ingestFloorOf(context.chain),
  updatedAt: context.blockTime * 1000
})

/** The same from rows, of which a bounded stretch of the tape is read. */
const readPage = (
  context: QueryContext,
  cursor: Cursor | null,
  count: number,
  min: bigint
): Effect.Effect<Found, ReadError> =>
  Effect.gen(function* () {
    const present = { ts: context.blockTime + 1, block: null, logIndex: 0 }
    const top = yield* positionBefore(context, cursor ?? present)
    if (top === 0) return { rows: [], last: null, more: false }
    const stretch = `seq > ${top - LOOK_BACK} AND seq <= ${top} AND ${HAS_TOKEN}`
    const worth = min === 0n ? "" : `AND usd >= ${min}`
    const rows = yield* context.rows(
      `SELECT * FROM tape WHERE ${stretch} ${worth} ORDER BY seq DESC LIMIT ${count}`
    )
    const full = rows.length === count ? rows[count - 1] : undefined
    const [last = null] =
      full === undefined
        ? yield* context.rows(
            `SELECT ts, block, log_index FROM tape WHERE ${stretch} ORDER BY seq LIMIT 1`
          )
        : [full]
    if (last === null) return { rows, last, more: false }
    const [ts, block, logIndex] = ["ts", "block", "log_index"].map(name => Number(last[name]))
    const before = { ts, block, logIndex } as Cursor
    return { rows, last, more: (yield* positionBefore(context, before)) > 0 }
  })

/**
 * `{ limit, min, beforeTs, beforeBlock, beforeLogIndex }`; `min` as its text. A page that found too
 * few in its stretch says where it stopped, and `nextBefore` goes on from there.
 */
export const ticker = (context: Memory, params: QueryParams): Settled => {
  const cursor = cursorOf(params)
  const count = Number(params["limit"])
  const asked = params["min"]
  const min = asked === null || asked === undefined ? 0n : microDollars(String(asked))
  const flags = flagsAt(context)
  const { recent } = context.output(tapeOutput)
  const found = recent.newestOfAll(count, isBefore(cursor), Number(min), LOOK_BACK)
  if (found !== null) return { value: pageOf(context, found, flags) }
  return {
    read: reader =>
      Effect.map(readPage(reader, cursor, count, min), page => pageOf(reader, page, flags))
  }
}
