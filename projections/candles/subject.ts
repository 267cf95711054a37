/** What candles are asked of: a token, or a pool and the token that it prices. */
import { Effect } from "effect"
import { type QueryContext, Refused } from "../../engine/query.ts"
import { versions } from "../../engine/store/sql.ts"
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

/** Number of the pool of an address or id; null where there is none. */
const findPool = (context: QueryContext, id: string) => {
  const hex = id.slice(2).padStart(64, "0")
  const half = (from: number) => `${BigInt(`0x${hex.slice(from, from + 32)}`)}::UHUGEINT`
  return context
    .rows(
      `SELECT pool FROM (${versions(poolsTable, `id_hi = ${half(0)} AND id_lo = ${half(32)}`)}) LIMIT 1`
    )
    .pipe(Effect.map(([row]) => (row === undefined ? null : Number(row["pool"]))))
}

/** The pairs that trade in a pool, the first seen first. */
const pairsOf = (context: QueryContext, pool: number) =>
  context
    .rows(
      `SELECT DISTINCT pair, pool, base, quote FROM (${versions(poolPairsTable, `pool = ${pool}`)})
       ORDER BY pair`
    )
    .pipe(
      Effect.map(rows =>
        rows.map(
          (row): Pair => ({
            pair: Number(row["pair"]),
            pool: Number(row["pool"]),
            base: Number(row["base"]),
            quote: Number(row["quote"])
          })
        )
      )
    )

/** The pool's first pair, or the first whose base is the asked token. */
const requirePair = (context: QueryContext, named: string | null, id: string) =>
  Effect.gen(function* () {
    const pool = yield* findPool(context, id)
    const pairs = pool === null ? [] : yield* pairsOf(context, pool)
    const [first] = pairs
    if (first === undefined) {
      const message = `pool ${id} has no indexed trades on chain ${context.chain.id}`
      return yield* refused(404, "NOT_FOUND", message)
    }
    if (named === null) return first
    const token = context.output(tokens).find(fromHex(named))
    const asked = pairs.find(pair => pair.base === token)
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
