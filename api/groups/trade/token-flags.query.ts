/** What a lane knows of a token that speaks against trading it. */

import { memoryQuery } from "../../../engine/query.ts"
import { markets } from "../../../projections/markets/output.ts"
import { pools } from "../../../projections/pools/output.ts"
import { idBytes } from "../../../src/domain/ids.ts"
import { rulesOf } from "../../../src/rules/rule-sets.ts"
import { isSuspect } from "../boards/suspects.ts"
import { factsOf } from "../boards/token-row.ts"
import { windowOf } from "../boards/window-of.ts"

/** A token's pools named at most: of thousands the oldest, which are the ones that trade. */
const MOST_SUSPECTS = 256

/** Of the 24 hours that boards tell of. */
export interface TokenTradeFlags {
  /** pools of which a rule calls the token's trades wash trading, by address or id */
  readonly suspects: ReadonlyArray<string>
  readonly buys: number
  readonly sells: number
  /** symbol of the anchor that the token passes itself off as; null where it does not */
  readonly readsAs: string | null
}

const UNKNOWN: TokenTradeFlags = { suspects: [], buys: 0, sells: 0, readsAs: null }

/** `token`: lower-case address */
export const tokenTradeFlags = memoryQuery(
  "tokenTradeFlags",
  (context, { token: address }: { readonly token: string }) => {
    const { flags, tokens } = factsOf(context)
    const token = tokens.find(idBytes(address))
    if (token < 0) return { value: UNKNOWN }
    const window = windowOf(context)
    const rules = rulesOf(context.chain)
    const { index } = context.output(markets)
    const { pool } = index.markets.columns
    const suspects = new Set<string>()
    for (const market of index.ofToken(token)) {
      if (suspects.size >= MOST_SUSPECTS) break
      if (!isSuspect(window, market, rules)) continue
      suspects.add(context.output(pools).idText(pool[market] as number))
    }
    const { trades, buys } = window.ofTokens.columns
    const bought = buys[token] ?? 0
    const value: TokenTradeFlags = {
      suspects: [...suspects],
      buys: bought,
      sells: (trades[token] ?? 0) - bought,
      readsAs: flags.isImpostor(token) ? tokens.symbols.of(token) : null
    }
    return { value }
  }
)
