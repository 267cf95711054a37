/** Parameters of candles and of their proofs. */
import { CANDLE_FIELDS as FIELDS } from "../../../projections/candles/candle.ts"
import { address, flag, integer, names, oneOf, optional, pool, text } from "../../parameters.ts"
import { oneChain } from "../chain-parameter.ts"
import { BASE_WETH } from "../token-parameter.ts"

/** Timeframes that tables hold and that the live channel sends. */
export const STORED_TIMEFRAMES = ["1m", "5m", "15m", "1h", "4h", "1d", "1w"] as const
/** Timeframes of `/candles`; those below a minute are folded from trades per request. */
export const ALL_TIMEFRAMES = ["1s", "5s", "15s", "30s", ...STORED_TIMEFRAMES] as const

export const CANDLES_DEFAULT = 300
const CANDLES_MAX = 5000
export const PROOF_DEFAULT = 500
const PROOF_MAX = 2000
/** Last second of the year 9999, so that every time is a safe integer with room for arithmetic. */
const LAST_SECOND = 253_402_300_799

/** How many candles a page has. */
export const CANDLES_LIMIT = {
  description: "buckets a page; of a wider range the newest are kept",
  min: 1,
  max: CANDLES_MAX,
  default: CANDLES_DEFAULT
}

/** Parameters that choose chain, token or pool, and timeframe. */
const subject = {
  ...oneChain,
  token: optional(
    address({
      description:
        "token; the zero address stands for the chain's native unit. Required unless `pool` is given, and then one that the pool prices",
      example: BASE_WETH
    })
  ),
  pool: optional(
    pool({
      description:
        "one pool only, by its address or id. Its candles are of its base token: the side that is no anchor, or the lesser anchor. Of a pool of several pairs the first that traded counts, or the first whose base is `token`"
    })
  ),
  tf: optional(
    oneOf({
      description:
        "bucket length; weeks start on Monday 00:00 UTC. Below a minute candles are folded from trades, as far back as the tape goes (`reachesFrom`)",
      values: ALL_TIMEFRAMES,
      default: "1h"
    })
  )
}

export const candlesQuery = {
  ...subject,
  from: optional(
    integer({
      description: "inclusive start, Unix seconds; by default `to` minus `limit` buckets",
      min: 0,
      max: LAST_SECOND
    })
  ),
  to: optional(
    integer({
      description:
        "exclusive end, Unix seconds, snapped up to a bucket edge; by default the end of the open bucket",
      min: 0,
      max: LAST_SECOND
    })
  ),
  limit: optional(integer(CANDLES_LIMIT)),
  fill: optional(
    flag({
      description:
        "1 carries the previous close through buckets that are proven to be without a trade, with v and n equal to 0; never into or across time whose blocks are missing, which `unknown` lists"
    })
  ),
  closed: optional(flag({ description: "1 leaves out the open bucket" })),
  quote: optional(
    oneOf({
      description:
        "unit of prices: US dollars, the pool's quote token (with `pool` only; `v` is then in quote tokens), or the market's worth, which is the price times the total supply as last read",
      values: ["usd", "token", "mcap"],
      default: "usd"
    })
  ),
  raw: optional(flag({ description: "1 counts prints that are not believed too: see `filtered`" })),
  fields: optional(
    names({
      description: `more fields of each candle, separated by commas, of ${FIELDS.join(", ")}`,
      of: FIELDS,
      example: "buys,sells,final"
    })
  )
}

export const proofQuery = {
  ...subject,
  t: integer({
    description: "a time within the bucket, Unix seconds",
    min: 0,
    max: LAST_SECOND,
    example: 1_789_999_200
  }),
  quote: optional(
    oneOf({
      description: "US dollars, or the pool's quote token (with `pool` only)",
      values: ["usd", "token"],
      default: "usd"
    })
  ),
  limit: optional(
    integer({ description: "swaps a page", min: 1, max: PROOF_MAX, default: PROOF_DEFAULT })
  ),
  after: optional(
    text({
      description: "exclusive cursor: the previous page's `nextAfter`",
      pattern: /^[0-9]{1,15}:[0-9]{1,9}$/,
      expected: "block:logIndex",
      example: "36000000:7"
    })
  )
}
