/** Live prints: each swap since the last commit, once for each subscribed side. */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/projection.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"
import { printOf } from "./queries.ts"

export const tradeFrames: FrameMaker = {
  channel: "trades",
  frames: (context, since, wanted, limit) =>
    Effect.gen(function* () {
      const { find, columns } = context.output(tokens)
      const ids = [...wanted].map(key => find(fromHex(key))).filter(id => id >= 0)
      if (ids.length === 0) return []
      const list = ids.join(",")
      const rows = yield* context.rows(
        `SELECT * FROM tape WHERE seq > ${since} AND (token0 IN (${list}) OR token1 IN (${list}))
         ORDER BY seq LIMIT ${limit}`
      )
      const asked = new Set(ids)
      const { address } = columns()
      return rows.flatMap(row =>
        [row["token0"], row["token1"]]
          .filter(token => token !== null && asked.has(Number(token)))
          .map(token => {
            const id = Number(token)
            const key = toHex(address.subarray(id * 20, id * 20 + 20))
            const seq = Number(row["seq"])
            return {
              key,
              seq,
              body: JSON.stringify({
                type: "trade",
                channel: "trades",
                chain: context.chain.id,
                token: key,
                seq,
                at: Number(row["ts"]),
                trade: printOf(context, id, row)
              })
            }
          })
      )
    })
}
