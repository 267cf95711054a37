/** `GET /v1/chains` and tapes of the chain-keyed family `/v1/chains/{chain}/*` (spec 4.3, 4.12). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LANE_STATES } from "../../../engine/lane/status.ts"
import { ANY_CHAIN_ROUTE, ANY_ROUTE, failure } from "../../errors.ts"
import {
  address,
  documented,
  integer,
  optional,
  rowFields,
  schemasOf,
  text
} from "../../parameters.ts"
import { chainPath } from "../chain-parameter.ts"
import { ChainId, IngestFloor, TokenAddress, Trade, UnknownTime, UpdatedAt } from "../fields.ts"
import { BASE_WETH } from "../token-parameter.ts"
import { CAPABILITIES } from "./capabilities.ts"

export const CHAIN_TRADES_DEFAULT = 50

const path = {
  ...chainPath,
  address: address({
    description: "token; the zero address stands for the wrapped native token",
    code: "BAD_ADDRESS",
    example: BASE_WETH
  })
}

export const tapeQuery = {
  limit: optional(
    integer({
      description: "trades a page",
      min: 1,
      max: 500,
      default: CHAIN_TRADES_DEFAULT,
      code: "BAD_LIMIT"
    })
  ),
  before: optional(
    text({
      description: "exclusive cursor: the previous page's `nextBefore`, or a Unix second",
      pattern: /^[0-9]{1,12}(:[0-9]{1,15}:[0-9]{1,9})?$/,
      expected: "ts:block:logIndex or a Unix second",
      code: "BAD_BEFORE",
      example: "1789999321:36000000:7"
    })
  ),
  ...rowFields("trades", Trade)
}
export const TapeQuery = Schema.Struct(schemasOf(tapeQuery))
export type ChainTradesQuery = typeof TapeQuery.Type

export const ChainTrades = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  trades: Schema.Array(Trade),
  nextBefore: Schema.NullOr(Schema.String).annotate({
    description: "cursor of the next page; null on the last"
  }),
  ingestFloor: Schema.NullOr(IngestFloor),
  unknown: UnknownTime,
  updatedAt: UpdatedAt
}).annotate({ identifier: "ChainTrades", description: "trades, newest first" })

/** Capabilities that Solana lacks; those of a family a chain may be outside of. */
const TRADED = new Set(["quote", "swap"])

const capability = ([name, of]: readonly [string, unknown]) =>
  [
    name,
    typeof of === "string" || TRADED.has(name) ? Schema.NullOr(Schema.String) : Schema.String
  ] as const

const Routes = Schema.Struct(
  Object.fromEntries(Object.entries(CAPABILITIES).map(capability))
).annotate({ description: "which route serves each capability; null where none does here" })

const Chain = Schema.Struct({
  id: ChainId,
  key: Schema.String,
  name: Schema.String,
  native: Schema.Struct({ symbol: Schema.String, decimals: Schema.Int }),
  explorer: Schema.NullOr(Schema.String).annotate({
    description:
      "block explorer with `/tx/{hash}` and `/address/{address}`; null where none is known"
  }),
  nativeToken: Schema.NullOr(TokenAddress),
  anchors: Schema.Array(
    Schema.Struct({
      address: TokenAddress,
      symbol: Schema.String,
      decimals: Schema.Int,
      kind: Schema.Literals(["usd", "native", "asset"])
    })
  ),
  ok: Schema.Boolean.annotate({
    description: "live, with blocks, and its newest one not too old; or a history, whole as it is"
  }),
  state: Schema.Literals(LANE_STATES).annotate({
    description: "of the chain's tables: `live` are those that hold all that its log does"
  }),
  problem: Schema.NullOr(Schema.String).annotate({ description: "why it is not `ok`" }),
  source: Schema.NullOr(Schema.Literals(["evm-rpc", "solana-rpc", "file", "devchain"])),
  routes: Routes
}).annotate({ identifier: "Chain" })

export const Chains = Schema.Struct({ chains: Schema.Array(Chain) }).annotate({
  identifier: "Chains",
  description: "the chains served here"
})
export type Chains = typeof Chains.Type

export const ChainsApi = HttpApiGroup.make("chains")
  .add(
    HttpApiEndpoint.get("listChains", "/chains", {
      success: Chains,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "server",
        tool: "chains",
        summary: "Directory of chains",
        description: "The chains served here, and which route serves each capability."
      })
    ),
    HttpApiEndpoint.get("getChainTrades", "/chains/:chain/token/:address/trades", {
      params: schemasOf(path),
      query: TapeQuery,
      success: ChainTrades,
      error: [
        failure(400, "BAD_ADDRESS", "BAD_LIMIT", "BAD_BEFORE"),
        failure(404, "TOKEN_NOT_FOUND"),
        ...ANY_CHAIN_ROUTE
      ]
    }).annotateMerge(
      documented({
        tool: "token_tape",
        summary: "Trades of a token on a chain",
        description:
          "The token's tape, newest first. Pass `nextBefore` back as `before`; it is null on the last page. A token without trades has an empty page; of Solana a mint that never traded is 404 `TOKEN_NOT_FOUND`.",
        parameters: { ...path, ...tapeQuery }
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Chains", description: "Chain-keyed data" }))
