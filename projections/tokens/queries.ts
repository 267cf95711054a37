/** Reads of tokens: the list behind a picker, and look-ups shared by other projections. */
import { Effect } from "effect"
import { type Query, type QueryContext, Refused } from "../../engine/projection.ts"
import { numberOf } from "../../engine/store/sql.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { NULL_I32 } from "../../streams/batch/columns.ts"
import { tokens } from "./output.ts"

/** The token's id, or the spec's `UNKNOWN_TOKEN`. */
export const requireToken = (context: QueryContext, address: string) => {
  const token = context.output(tokens).find(fromHex(address))
  return token >= 0 ? Effect.succeed(token) : Effect.fail(unknownToken(context, address))
}

export const unknownToken = (context: Pick<QueryContext, "chain">, address: string): Refused =>
  new Refused({
    status: 404,
    code: "UNKNOWN_TOKEN",
    message: `token ${address} has no indexed trades on chain ${context.chain.id}`
  })

/** Parts of a transfer in 1e-6 below which it is taken for rounding, as of rebasing tokens. */
const LEAST_FEE = 100

/** The largest part of a transfer that stayed away, in percent; null where none was followed. */
const transferFeePct = (fee: number): number | null =>
  fee === NULL_I32 ? null : fee < LEAST_FEE ? 0 : fee / 10_000

const newest = (name: string, where = ""): string =>
  `(SELECT * FROM (SELECT * FROM ${name} UNION ALL SELECT * FROM ${name}_tail) ${where}
    QUALIFY row_number() OVER (PARTITION BY token ORDER BY seq DESC) = 1)`

/** The tokens with the most prints. */
const list: Query = (context, params) =>
  Effect.gen(function* () {
    const { columns, scale } = context.output(tokens)
    const rows = yield* context.rows(`
      SELECT a.token, a.trades, a.first_ts, a.last_ts, p.price, p.depth_usd
      FROM ${newest("token_activity")} a LEFT JOIN ${newest("token_prices")} p USING (token)
      ORDER BY a.trades DESC, a.token LIMIT ${Number(params["limit"])}`)
    const facts = columns()
    return {
      chain: context.chain.id,
      tokens: rows.map(row => {
        const token = Number(row["token"])
        return {
          address: toHex(facts.address.subarray(token * 20, token * 20 + 20)),
          symbol: facts.symbol[token] ?? null,
          name: facts.name[token] ?? null,
          decimals: Number.isNaN(scale(token)) ? null : facts.decimals[token],
          transferFeePct: transferFeePct(facts.transfer_fee[token] as number),
          priceUsd: numberOf(row, "price"),
          // behind a price of raw units there are dollars too, which say nothing to anybody
          depthUsd: numberOf(row, "price") === null ? null : numberOf(row, "depth_usd"),
          trades: Number(row["trades"]),
          firstTradeTs: Number(row["first_ts"]),
          lastTradeTs: Number(row["last_ts"])
        }
      }),
      updatedAt: context.blockTime * 1000
    }
  })

export const queries = { tokens: list }
