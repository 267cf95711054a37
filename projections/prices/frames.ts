/** Live prices: each token whose price a commit changed; key `*` stands for all tokens. */
import { Effect } from "effect"
import type { FrameMaker } from "../../engine/projection.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"

export const priceFrames: FrameMaker = {
  channel: "prices",
  frames: (context, since, wanted) =>
    Effect.gen(function* () {
      const { find, columns } = context.output(tokens)
      const all = wanted.has("*")
      const ids = all ? [] : [...wanted].map(key => find(fromHex(key))).filter(id => id >= 0)
      if (!all && ids.length === 0) return []
      const rows = yield* context.rows(
        `SELECT token, arg_max(price, seq) AS price, arg_max(depth_usd, seq) AS depth_usd,
           max(seq) AS seq, arg_max(ts, seq) AS ts
         FROM token_prices_tail WHERE seq > ${since} ${all ? "" : `AND token IN (${ids.join(",")})`}
         GROUP BY token ORDER BY token`
      )
      const { address, symbol } = columns()
      return rows.flatMap(row => {
        const id = Number(row["token"])
        const token = toHex(address.subarray(id * 20, id * 20 + 20))
        const seq = Number(row["seq"])
        const body = JSON.stringify({
          type: "price",
          channel: "prices",
          chain: context.chain.id,
          token,
          symbol: symbol[id] ?? null,
          seq,
          at: Number(row["ts"]),
          priceUsd: numberOf(row, "price"),
          depthUsd: numberOf(row, "depth_usd")
        })
        return [...(all ? ["*"] : []), ...(wanted.has(token) ? [token] : [])].map(key => ({
          key,
          seq,
          body
        }))
      })
    })
}
