/** `GET /v1/rh/stocks` (spec 4.13): tokenised stocks of chain 4663. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import { documented, integer, optional, rowFields, schemasOf } from "../../parameters.ts"
import { exampleRow } from "../boards/example-row.ts"
import { ChainId, Milliseconds, Seconds, UnknownTime } from "../fields.ts"
import { ListedRow, Lists } from "../tokens/list-payloads.ts"

export const STOCKS_LIMIT = 500

const stocksQuery = {
  limit: optional(
    integer({ description: "rows", min: 1, max: 1000, default: STOCKS_LIMIT, code: "BAD_LIMIT" })
  ),
  offset: optional(integer({ description: "rows to skip", min: 0, max: 1_000_000, default: 0 })),
  ...rowFields("stocks", ListedRow)
}
const StocksQuery = Schema.Struct(schemasOf(stocksQuery))

const Stocks = Schema.Struct({
  chain: ChainId,
  sinceHour: Seconds,
  lists: Lists,
  offset: Schema.Int,
  stocks: Schema.Array(ListedRow),
  total: Schema.Int,
  unknown: UnknownTime,
  updatedAt: Milliseconds
}).annotate({
  identifier: "Stocks",
  description: "tokenised stocks, most volume first",
  examples: [
    {
      chain: 4663,
      sinceHour: 1_789_916_400,
      lists: [{ name: "Uniswap Labs Default", version: "22.21.0" }],
      offset: 0,
      stocks: [
        {
          ...exampleRow,
          ...{ symbol: "AAPL", name: "Apple", tags: ["stock"], priceUsd: 231.5 },
          ...{ marketCapUsd: 231_500_000, firstTradeTs: 1_789_000_000 },
          ...{ transferFeePct: null, depthUsd: 17_728.77, trades: 410 }
        }
      ],
      total: 200,
      unknown: [],
      updatedAt: 1_789_999_322_000
    }
  ]
})

export const StocksApi = HttpApiGroup.make("stocks")
  .add(
    HttpApiEndpoint.get("rhStocks", "/rh/stocks", {
      query: StocksQuery,
      success: Stocks,
      error: [failure(400, "BAD_LIMIT"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "stocks",
        summary: "Stocks of chain 4663",
        description:
          "The tokenised stocks that the chain's token lists name, also those that never traded; `/v1/rules` says what makes one a stock. Most volume first, rows with a flag last.",
        parameters: stocksQuery
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Stocks", description: "Tokenised stocks" }))
