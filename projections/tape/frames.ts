/** Live prints: each swap since the last commit, once for each subscribed side. */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/projection.ts"
import type { FoldsContext, Row } from "../../engine/query.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { tapeOutput } from "./output.ts"
import { printOf } from "./queries.ts"

/** Ids of the subscribed tokens that are known. */
const idsOf = (context: FoldsContext, wanted: ReadonlySet<string>): ReadonlySet<number> => {
  const { find } = context.output(tokens)
  return new Set([...wanted].map(key => find(fromHex(key))).filter(id => id >= 0))
}

const frameOf = (context: FoldsContext, row: Row, token: number) => {
  const { address } = context.output(tokens).columns()
  const key = toHex(address.subarray(token * 20, token * 20 + 20))
  const seq = Number(row["seq"])
  const body = JSON.stringify({
    type: "trade",
    channel: "trades",
    chain: context.chain.id,
    token: key,
    seq,
    at: Number(row["ts"]),
    trade: printOf(context, token, row)
  })
  return { key, seq, body }
}

const framesOf = (context: FoldsContext, rows: ReadonlyArray<Row>, asked: ReadonlySet<number>) =>
  rows.flatMap(row =>
    [row["token0"], row["token1"]]
      .filter(token => token !== null && asked.has(Number(token)))
      .map(token => frameOf(context, row, Number(token)))
  )

export const tradeFrames: FrameMaker = {
  channel: "trades",
  frames: (context, since, wanted, limit) =>
    Effect.gen(function* () {
      const ids = idsOf(context, wanted)
      if (ids.size === 0) return []
      const list = [...ids].join(",")
      const rows = yield* context.rows(
        `SELECT * FROM tape WHERE seq > ${since} AND (token0 IN (${list}) OR token1 IN (${list}))
         ORDER BY seq LIMIT ${limit}`
      )
      return framesOf(context, rows, ids)
    }),
  early: (context, since, wanted) => {
    const ids = idsOf(context, wanted)
    if (ids.size === 0) return []
    const rows = context.output(tapeOutput).recent.after(since)
    return rows === null ? null : framesOf(context, rows, ids)
  }
}
