/** The board of a chain's tokens: all its rows, then those that changed. */
import { Effect, Result, Schema } from "effect"
import { LaneUnavailable } from "../../../engine/lane/lanes.ts"
import { ask } from "../../../engine/query.ts"
import { secondsOf } from "../../../src/domain/shown-chain.ts"
import { type BoardSort, boardSorts } from "../../groups/boards/board-sorts.ts"
import { BOARD_LIMIT, TokenRow } from "../../groups/boards/boards.api.ts"
import { tokenBoard } from "../../groups/boards/token-board.query.ts"
import { TokenAddress } from "../../groups/fields.ts"
import type { Channel, PresentOf } from "../channel.ts"
import { All, At, opening, Seq } from "../frame-fields.ts"

const BoardFrame = Schema.Struct({
  ...opening("board", "boards"),
  sort: Schema.Literals(boardSorts),
  includeUnlisted: Schema.optionalKey(Schema.Literal(1)).annotate({
    description: "where tokens that are not listed are among them"
  }),
  seq: Seq,
  at: At,
  all: All,
  order: Schema.optionalKey(
    Schema.Array(TokenAddress).annotate({
      description: "the board's tokens from the top, where that changed; others are off it"
    })
  ),
  tokens: Schema.Array(TokenRow).annotate({ description: "rows that changed" })
})

const Board = Schema.fromJsonString(
  Schema.Struct({
    tokens: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    updatedAt: Schema.Finite
  })
)
const decode = Schema.decodeUnknownSync(Board)
const decoder = new TextDecoder()

/** Name of the part that is no token's row. */
const ORDER = "order"

const UNLISTED = " unlisted"

/** A key is the order, and whether tokens that are not listed are among them. */
const keyOf = (sort: BoardSort, isUnlisted: boolean): string =>
  isUnlisted ? `${sort}${UNLISTED}` : sort

const request = (key: string) =>
  ask(tokenBoard, {
    sort: (key.split(" ")[0] ?? key) as BoardSort,
    limit: BOARD_LIMIT,
    offset: 0,
    includeUnlisted: key.endsWith(UNLISTED),
    rules: null,
    asOf: null
  })

const present: PresentOf = {
  everyMs: 1000,
  ofTables: true,
  stands: lane => `${lane.seq()} ${lane.setbacks()}`,
  read: (lane, key) =>
    Effect.flatMap(lane.query(request(key)), answer => {
      if (!answer.ok) {
        const { message } = answer.refusal
        return Effect.fail(new LaneUnavailable({ chain: lane.config.key, message }))
      }
      const { tokens, updatedAt } = decode(decoder.decode(answer.body))
      const order = tokens.map(({ address }) => String(address))
      const rows = tokens.map((row, i) => [order[i] ?? "", JSON.stringify(row)] as const)
      const parts = new Map([[ORDER, JSON.stringify(order)], ...rows])
      return Effect.succeed({ parts, seq: answer.seq, at: secondsOf(lane.config, updatedAt) })
    }),
  frameOf: (parts, topic, { seq, at, all }) => {
    const order = parts.get(ORDER)
    const rows = [...parts].filter(([name]) => name !== ORDER).map(([, text]) => text)
    const head = JSON.stringify({ type: "board", ...topic, seq, at, all }).slice(0, -1)
    const told = order === undefined ? "" : `,"order":${order}`
    return `${head}${told},"tokens":[${rows.join(",")}]}`
  }
}

export const boards: Channel = {
  name: "boards",
  summary: `the ${BOARD_LIMIT} tokens of a chain's board by \`sort\`: all, then what changed`,
  takes: ["sort", "includeUnlisted"],
  partOf: (_, { sort = "volume", includeUnlisted = 0 }) =>
    Result.succeed({
      key: keyOf(sort, includeUnlisted === 1),
      named: { sort, ...(includeUnlisted === 1 && { includeUnlisted }) }
    }),
  frames: { board: BoardFrame },
  newest: null,
  present
}
