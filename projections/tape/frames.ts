/** Live prints: each swap since the last commit, once for each subscribed side. */
import type { FrameMaker } from "../../engine/projection.ts"
import type { FoldsContext, Row } from "../../engine/query.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { printOf } from "./queries.ts"
import { tapeTable } from "./tables.ts"

/** Ids of the subscribed tokens that are known. */
const idsOf = (context: FoldsContext, keys: ReadonlySet<string>): ReadonlySet<number> => {
  const { find } = context.output(tokens)
  return new Set([...keys].map(key => find(fromHex(key))).filter(id => id >= 0))
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

export const tradeFrames: FrameMaker = { channel: "trades", table: tapeTable, idsOf, framesOf }
