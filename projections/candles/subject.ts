/** What candles are asked of: a token, or a pool and the token that it prices. */
import { Effect } from "effect"
import { Refused, type RowsView } from "../../engine/query.ts"
import { unsignedAt } from "../../engine/store/wide-integer.ts"
import { idBytes } from "../../src/domain/ids.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { markets } from "../markets/output.ts"
import { pools } from "../pools/output.ts"
import { pricesOutput } from "../prices/output.ts"
import { tokens } from "../tokens/output.ts"
import { requireToken } from "../tokens/queries.ts"
import { type Pair, pairSeries, type Series, tokenSeries } from "./series.ts"

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

const addressOf = (view: RowsView, token: number): string => view.output(tokens).addressOf(token)

/** The pairs that trade in a pool, the first seen first. */
const pairsOf = (view: RowsView, id: string): ReadonlyArray<Pair> => {
  const pool = view.output(pools).withId(idBytes(id))
  const { index } = view.output(markets)
  const { token0, token1 } = index.markets.columns
  const { baseOf } = view.output(pricesOutput)
  return [...index.ofPool(pool)].flatMap(pair => {
    const [first, second] = [token0[pair] as number, token1[pair] as number]
    if (first === NONE || second === NONE) return []
    const base = baseOf(first, second)
    return [{ pair, pool, base, quote: base === first ? second : first }]
  })
}

/** The pair of a pool that is asked for: of this base token, or of any the first. */
export const pairOf = (view: RowsView, pool: string, named: string | null): Pair | undefined => {
  const token = named === null ? null : view.output(tokens).find(idBytes(named))
  return pairsOf(view, pool).find(({ base }) => token === null || base === token)
}

/** The pool's first pair, or the first whose base is the asked token. */
const requirePair = (view: RowsView, named: string | null, id: string) =>
  Effect.gen(function* () {
    const pairs = pairsOf(view, id)
    if (pairs.length === 0) {
      const message = `pool ${id} has no indexed trades on chain ${shownChain(view.chain)}`
      return yield* refused(404, "NOT_FOUND", message)
    }
    const asked = pairOf(view, id, named)
    if (asked !== undefined) return asked
    const bases = [...new Set(pairs.map(pair => addressOf(view, pair.base)))].join(", ")
    const message = `token must be what pool ${id} prices: ${bases}`
    return yield* refused(400, "INVALID_PARAMS", message)
  })

/** Whole tokens that there are, as last read; null where that is unknown. */
const supplyOf = (view: RowsView, token: number): number | null => {
  const { scale, columns } = view.output(tokens)
  const whole = Number(unsignedAt(columns().total_supply, token)) / scale(token)
  return whole > 0 ? whole : null
}

export const subjectOf = (view: RowsView, { token: named, pool, quote }: SubjectParams) =>
  Effect.gen(function* () {
    const pair = pool === null ? null : yield* requirePair(view, named, pool)
    const unit = quote === "token" ? "ratio" : "dollars"
    const token = pair?.base ?? (yield* requireToken(view, named ?? ""))
    const address = addressOf(view, token)
    const supply = quote === "mcap" ? supplyOf(view, token) : null
    if (quote === "mcap" && supply === null) {
      const message = `quote=mcap: the total supply of token ${address} is not known`
      return yield* refused(404, "NOT_FOUND", message)
    }
    const poolNames =
      pair === null
        ? {}
        : {
            pool: view.output(pools).idText(pair.pool),
            quoteToken: addressOf(view, pair.quote)
          }
    const subject: Subject = {
      token,
      address,
      pair,
      series: pair === null ? tokenSeries(view, token) : pairSeries(view, pair, unit),
      factor: supply ?? 1,
      named: { ...poolNames, quote, ...(supply === null ? {} : { supply }) }
    }
    return subject
  })
