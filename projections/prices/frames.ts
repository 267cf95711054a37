/**
 * Live prices: the present price of each token that traded or whose price changed; key `*` stands
 * for all tokens.
 */
import { Effect } from "effect"
import { type FrameMaker, PRESENT, type QueryContext } from "../../engine/projection.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { tokens } from "../tokens/output.ts"

/** Tokens that the present of a chain tells of: those that changed last. */
const MAX_PRESENT = 1000

const versions = (name: string, where: string): string =>
  `SELECT * FROM ${name} WHERE ${where} UNION ALL SELECT * FROM ${name}_tail WHERE ${where}`

const newest = (name: string): string =>
  `(SELECT * FROM (${versions(name, "token IN (SELECT token FROM changed)")})
    QUALIFY row_number() OVER (PARTITION BY token ORDER BY seq DESC) = 1)`

/**
 * The tokens with a print or another price after `since`, each with its present price, where it has
 * one, and with position and time of the newest of both. A dollar's price never changes, and is
 * told with each of its prints all the same.
 */
const pricesSql = (where: string, page: string): string => `
  WITH changed AS (
    SELECT token, max(seq) AS seq FROM (
      SELECT token, seq FROM (${versions("token_prices", where)})
      UNION ALL SELECT token, seq FROM (${versions("token_activity", where)}))
    GROUP BY token QUALIFY ${page})
  SELECT c.token, c.seq, p.price, p.depth_usd, greatest(p.ts, a.last_ts) AS ts
  FROM changed c
    LEFT JOIN ${newest("token_prices")} p ON p.token = c.token
    LEFT JOIN ${newest("token_activity")} a ON a.token = c.token
  ORDER BY c.seq, c.token`

const changedTokens = (
  context: QueryContext,
  since: number,
  ids: ReadonlyArray<number> | null,
  limit: number
) => {
  const where = `seq > ${since}${ids === null ? "" : ` AND token IN (${ids.join(",")})`}`
  const page =
    since === PRESENT
      ? `row_number() OVER (ORDER BY max(seq) DESC, token) <= ${MAX_PRESENT}`
      : `rank() OVER (ORDER BY max(seq)) <= ${limit}`
  return context.rows(pricesSql(where, page))
}

export const priceFrames: FrameMaker = {
  channel: "prices",
  frames: (context, since, wanted, limit) =>
    Effect.gen(function* () {
      const { find, columns } = context.output(tokens)
      const all = wanted.has("*")
      const ids = all ? null : [...wanted].map(key => find(fromHex(key))).filter(id => id >= 0)
      if (ids?.length === 0) return []
      const rows = yield* changedTokens(context, since, ids, limit)
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
