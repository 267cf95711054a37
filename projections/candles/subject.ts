/** What candles are asked of: a token, or a pool and the token that it prices. */
import { Effect } from "effect"
import { type QueryContext, Refused } from "../../engine/query.ts"
import { hashOf, idEquals, versions } from "../../engine/store/sql.ts"
import { fromHex, toHex } from "../../src/domain/address.ts"
import { pools, poolsTable } from "../pools/output.ts"
import { tokens } from "../tokens/output.ts"
import { requireToken } from "../tokens/queries.ts"
import { type Pair, pairSeries, type Series, tokenSeries } from "./series.ts"
import { poolPairsTable } from "./tables.ts"

export interface Subject {
  readonly token: number
  readonly address: string
  readonly pair: Pair | null
  readonly series: Series
  /** what a dollar price is multiplied by: the supply where the market's worth is asked; else 1 */
  readonly factor: number
  /** of the answer's envelope */
  readonly named: { readonly [name: string]: string | number }
}

/** A token, a pool, or the token of a pool that it prices. */
export type SubjectParams = {
  readonly token: string | null
  readonly pool: string | null
  /** what prices are in; "token" only of a pool */
  readonly quote: "usd" | "token" | "mcap"
}

const refused = (status: 400 | 404, code: string, message: string) =>
  Effect.fail(new Refused({ status, code, message }))

const addressOf = (context: QueryContext, token: number): string => {
  const { address } = context.output(tokens).columns()
  return toHex(address.subarray(token * 20, token * 20 + 20))
}

/** An address or id as text of 32 bytes. */
const wide = (id: string): string => `0x${id.slice(2).padStart(64, "0")}`

/** The pairs that trade in each of some pools, the first seen first. */
export const pairsOfPools = (context: QueryContext, ids: ReadonlyArray<string>) => {
  const asked = versions(
    poolsTable,
    ids.map(id => idEquals("id", id)).join(" OR "),
    "pool, id_hi, id_lo"
  )
  const pairs = versions(poolPairsTable, "pool IN (SELECT pool FROM asked)")
  return context
    .rows(
      `WITH asked AS (${asked})
       SELECT DISTINCT id_hi, id_lo, pair, pool, base, quote
       FROM asked JOIN (${pairs}) USING (pool) ORDER BY pair`
    )
    .pipe(
      Effect.map(rows => {
        const found = rows.map((row): readonly [string, Pair] => [
          hashOf(row, "id") ?? "",
          {
            pair: Number(row["pair"]),
            pool: Number(row["pool"]),
            base: Number(row["base"]),
            quote: Number(row["quote"])
          }
        ])
        return (id: string): ReadonlyArray<Pair> =>
          found.flatMap(([pool, pair]) => (pool === wide(id) ? [pair] : []))
      })
    )
}

/** The pair of a pool that is asked for: of this base token, or of any the first. */
export const pairOf = (
  context: QueryContext,
  pairs: ReadonlyArray<Pair>,
  named: string | null
): Pair | undefined => {
  const token = named === null ? null : context.output(tokens).find(fromHex(named))
  return pairs.find(({ base }) => token === null || base === token)
}

/** The pool's first pair, or the first whose base is the asked token. */
const requirePair = (context: QueryContext, named: string | null, id: string) =>
  Effect.gen(function* () {
    const pairs = (yield* pairsOfPools(context, [id]))(id)
    if (pairs.length === 0) {
      const message = `pool ${id} has no indexed trades on chain ${context.chain.id}`
      return yield* refused(404, "NOT_FOUND", message)
    }
    const asked = pairOf(context, pairs, named)
    if (asked !== undefined) return asked
    const bases = [...new Set(pairs.map(pair => addressOf(context, pair.base)))].join(", ")
    const message = `token must be what pool ${id} prices: ${bases}`
    return yield* refused(400, "INVALID_PARAMS", message)
  })

/** Whole tokens that there are, as last read; null where that is unknown. */
const supplyOf = (context: QueryContext, token: number): number | null => {
  const { scale, columns } = context.output(tokens)
  const supply = columns().total_supply.subarray(token * 32, token * 32 + 32)
  const whole = Number(BigInt(toHex(supply))) / scale(token)
  return whole > 0 ? whole : null
}

export const subjectOf = (context: QueryContext, { token: named, pool, quote }: SubjectParams) =>
  Effect.gen(function* () {
    const pair = pool === null ? null : yield* requirePair(context, named, pool)
    const unit = quote === "token" ? "ratio" : "dollars"
    const token = pair?.base ?? (yield* requireToken(context, named ?? ""))
    const address = addressOf(context, token)
    const supply = quote === "mcap" ? supplyOf(context, token) : null
    if (quote === "mcap" && supply === null) {
      const message = `quote=mcap: the total supply of token ${address} is not known`
      return yield* refused(404, "NOT_FOUND", message)
    }
    const poolNames =
      pair === null
        ? {}
        : {
            pool: context.output(pools).idText(pair.pool),
            quoteToken: addressOf(context, pair.quote)
          }
    const subject: Subject = {
      token,
      address,
      pair,
      series: pair === null ? tokenSeries(context, token) : pairSeries(context, pair, unit),
      factor: supply ?? 1,
      named: { ...poolNames, quote, ...(supply === null ? {} : { supply }) }
    }
    return subject
  })
