/** Routes of the newest prints of a whole chain. The spec names the ticker, but not its payload. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_CHAIN_ROUTE, failure } from "../../errors.ts"
import { decimal, documented, optional, rowFields, schemasOf } from "../../parameters.ts"
import { chainPath } from "../chain-parameter.ts"
import { tapeQuery } from "../chains/chains.api.ts"
import {
  ChainId,
  IngestFloor,
  Seconds,
  SWAP_ROW,
  SwapRow,
  UnknownTime,
  UpdatedAt
} from "../fields.ts"

const PrintRow = Schema.Struct({
  ...SwapRow.fields,
  wash: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "a rule calls what the token was traded in 24 hours wash trading"
  }),
  impostor: Schema.optionalKey(Schema.Literal(true))
})

const printsQuery = {
  ...tapeQuery,
  ...rowFields("prints", PrintRow),
  min: optional(decimal({ description: "smallest print, US dollars", min: 0, example: 1000 }))
}
const PrintsQuery = Schema.Struct(schemasOf(printsQuery))
export type PrintsQuery = typeof PrintsQuery.Type

const ChainPrints = Schema.Struct({
  chain: ChainId,
  prints: Schema.Array(PrintRow),
  nextBefore: Schema.NullOr(Schema.String).annotate({
    description: "cursor of the next page; null on the last"
  }),
  searchedTo: Schema.NullOr(Schema.Struct({ ts: Seconds, block: Schema.Int })).annotate({
    description: "the oldest print looked at: a page with fewer rows than asked for stopped there"
  }),
  ingestFloor: IngestFloor,
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({
  identifier: "ChainPrints",
  description: "prints of a chain, newest first",
  examples: [
    {
      chain: 8453,
      prints: [SWAP_ROW],
      nextBefore: "1789999321:36000000:7",
      searchedTo: { ts: 1_789_999_321, block: 36_000_000 },
      ingestFloor: { minTradeUsd: 0, history: [{ usd: 0, fromTs: 0 }] },
      unknown: [{ from: 0, to: 1_789_000_000 }],
      updatedAt: 1_789_999_321_000
    }
  ]
})

const WORDS =
  "The newest prints of the whole chain, each as its base token sees it. Pass `nextBefore` back as `before`; it is null on the last page. A page looks through 65,536 positions of the log at most, so with `min` it may hold few rows or none and still have a next page; `searchedTo` says how far it looked."

/** Returns the route of a chain with a route family of its own. */
const own = (key: "arc" | "rh", name: string) =>
  HttpApiEndpoint.get(`${key}Prints`, `/${key}/prints`, {
    query: PrintsQuery,
    success: ChainPrints,
    error: [failure(400, "BAD_LIMIT", "BAD_BEFORE"), ...ANY_CHAIN_ROUTE]
  }).annotateMerge(
    documented({
      tool: "prints",
      summary: `Prints of ${name}`,
      description: WORDS,
      parameters: printsQuery
    })
  )

export const PrintsApi = HttpApiGroup.make("prints")
  .add(own("arc", "Arc"), own("rh", "chain 4663"))
  .add(
    HttpApiEndpoint.get("chainPrints", "/chains/:chain/prints", {
      params: schemasOf(chainPath),
      query: PrintsQuery,
      success: ChainPrints,
      error: [failure(400, "BAD_LIMIT", "BAD_BEFORE"), ...ANY_CHAIN_ROUTE]
    }).annotateMerge(
      documented({
        tool: "prints",
        summary: "Prints of a chain",
        description: WORDS,
        parameters: { ...chainPath, ...printsQuery }
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Prints", description: "The chain's ticker" }))
