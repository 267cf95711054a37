/**
 * `GET /v1/arc/token/{address}/holders` (spec 4.4), and the same for chain 4663 and for the chains
 * of the chain-keyed family.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE, failure, NO_SUCH_TOKEN } from "../../errors.ts"
import { documented, integer, optional, rowFields, schemasOf } from "../../parameters.ts"
import { chainPath } from "../chain-parameter.ts"
import { ChainId, Milliseconds, TokenAddress, UpdatedAt } from "../fields.ts"
import { ARC_USDC, BASE_WETH, tokenAddress } from "../token-parameter.ts"

export const HOLDERS_DEFAULT = 50
/** Most rows of an answer. */
const HOLDERS_MOST = 1000

const ofToken = { address: tokenAddress({ code: "BAD_ADDRESS", example: ARC_USDC }) }

const ofChain = {
  ...chainPath,
  address: tokenAddress({ code: "BAD_ADDRESS", example: BASE_WETH })
}

const Block = Schema.Int
const Percent = Schema.NullOr(Schema.Finite).annotate({
  description: "of `totalSupply`, 0 to 100; null while that is unknown"
})

const Concentration = Schema.Struct({
  top1: Percent,
  top5: Percent,
  top10: Percent,
  top20: Percent,
  top50: Percent,
  top100: Percent
})

const Coverage = Schema.Struct({
  addedBlock: Block.annotate({
    description: "the block from which on transfers are logged as they come"
  }),
  floorBlock: Block.annotate({
    description: "transfers from this block up to `addedBlock` are in the ledger, too"
  }),
  createdBlock: Schema.NullOr(Block).annotate({
    description: "the block of the token's creation; null where it is not known (yet)"
  }),
  backfillCursor: Schema.NullOr(Block).annotate({
    description:
      "how far the reading of earlier transfers is, upwards; they count once all are there. Null where none is under way"
  }),
  forwardCursor: Block.annotate({ description: "the newest block that counts" }),
  logs: Schema.Int.annotate({ description: "transfers in the ledger" }),
  gaps: Schema.Int.annotate({
    description: "runs of blocks since `addedBlock` that are not proven complete yet"
  }),
  words: Schema.Int.annotate({
    description: "runs of blocks since `addedBlock` that are one node's word"
  }),
  problem: Schema.NullOr(Schema.String).annotate({
    description:
      "why transfers from before `addedBlock` are missing; null where they are being read, or are there"
  })
})

const Audit = Schema.Struct({
  block: Block.annotate({ description: "balances were read as of the end of this block" }),
  sampled: Schema.Int.annotate({
    description: "addresses that were asked about: large receivers, and some by chance"
  }),
  differing: Schema.Int.annotate({
    description: "those that have another balance by the ledger than the contract says"
  }),
  at: Milliseconds
}).annotate({
  identifier: "HolderAudit",
  description:
    "the newest comparison of the ledger with `balanceOf`; one that found differences counts until another finds none among as many. Null before the first"
})

const Holder = Schema.Struct({
  holder: Schema.String.annotate({ description: "lower-case address" }),
  balance: Schema.String.annotate({ description: "raw units, exact" }),
  amount: Schema.NullOr(Schema.Finite).annotate({
    description: "whole tokens; null while the decimals are unknown"
  }),
  sharePct: Percent,
  kind: Schema.Literals(["wallet", "pool", "burn"]).annotate({
    description: "`pool`: a pool or vault that the chain knows; `burn`: nobody can send from it"
  })
})

const query = {
  limit: optional(
    integer({
      description: "rows of `top`",
      min: 1,
      max: HOLDERS_MOST,
      default: HOLDERS_DEFAULT,
      code: "BAD_LIMIT"
    })
  ),
  ...rowFields("top", Holder)
}
const HoldersQuery = Schema.Struct(schemasOf(query))
export type HoldersQuery = typeof HoldersQuery.Type

const Holders = Schema.Struct({
  chain: ChainId,
  token: TokenAddress,
  tracked: Schema.Boolean,
  complete: Schema.Boolean.annotate({
    description:
      "whether the ledger is the whole truth: every transfer since the token's creation is in it, its blocks are proven or told by two endpoints, what they make is the supply that the token tells, nobody has less than nothing, and no sampled holder another balance on chain"
  }),
  incompleteBecause: Schema.NullOr(Schema.Array(Schema.String)).annotate({
    description: "what speaks against it, in words; null where `complete`"
  }),
  coverage: Coverage,
  audit: Schema.NullOr(Audit),
  unaudited: Schema.NullOr(Schema.String).annotate({
    description:
      "why the ledger could not be compared with the contract when that was tried last; null where it could, or was not tried"
  }),
  decimals: Schema.NullOr(Schema.Int),
  totalSupply: Schema.NullOr(Schema.String).annotate({
    description:
      "raw units: as of `forwardCursor` where `supplyMatches`, else as last read; null where it never was"
  }),
  supplyFromTransfers: Schema.String.annotate({ description: "raw units minted less those burnt" }),
  supplyMatches: Schema.NullOr(Schema.Boolean).annotate({
    description:
      "whether transfers explain the supply that was read; false for tokens that rebase or change balances without a transfer; null where the past is missing, or was joined after the supply was read"
  }),
  holders: Schema.Int.annotate({ description: "addresses with more than nothing" }),
  negativeHolders: Schema.Int.annotate({
    description:
      "addresses that sent more than the ledger saw them get, left out of `top`: the rest of the past is missing, or the token gives without a transfer"
  }),
  heldByWalletsPct: Percent,
  concentration: Concentration.annotate({
    description: "what the largest holders of any kind have together"
  }),
  walletConcentration: Concentration.annotate({
    description: "what the largest wallets have together"
  }),
  burnSinksVersion: Schema.Int.annotate({
    description: "version of the list of addresses that nobody can send from"
  }),
  top: Schema.Array(Holder).annotate({ description: "largest first, then by address" }),
  updatedAt: UpdatedAt
}).annotate({ identifier: "Holders", description: "the holder ledger of a token" })

const unreadable = [
  ...ANY_ROUTE,
  failure(400, "UNSUPPORTED_CHAIN"),
  failure(
    503,
    "HOLDERS_PENDING",
    "HOLDERS_UNAVAILABLE",
    "CHAIN_NOT_ENABLED",
    "NOT_READY",
    "CHAIN_DATA_UNAVAILABLE"
  )
] as const

const description =
  "Who has how much of a token, by its transfers. The first request of a token pins it and answers 503 `HOLDERS_PENDING` until the next blocks are logged: retry after `Retry-After`. Then `complete` is false until all transfers since its creation are there; what is shown until then is what the known transfers leave. 503 `HOLDERS_UNAVAILABLE` says that the token will not be pinned, and why: too many are, or its pin was taken back."

const ofFamily = <const Name extends string, const Path extends `/${string}`>(
  name: Name,
  path: Path,
  summary: string
) =>
  HttpApiEndpoint.get(name, path, {
    params: schemasOf(ofToken),
    query: HoldersQuery,
    success: Holders,
    error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT"), NO_SUCH_TOKEN, ...unreadable]
  }).annotateMerge(
    documented({
      tool: "token_holders",
      summary,
      description,
      parameters: { ...ofToken, ...query }
    })
  )

export const HoldersApi = HttpApiGroup.make("holders")
  .add(
    ofFamily("getArcHolders", "/arc/token/:address/holders", "Holders of a token on Arc"),
    ofFamily("getRhHolders", "/rh/token/:address/holders", "Holders of a token on chain 4663"),
    HttpApiEndpoint.get("getChainHolders", "/chains/:chain/token/:address/holders", {
      params: schemasOf(ofChain),
      query: HoldersQuery,
      success: Holders,
      error: [failure(400, "BAD_ADDRESS", "BAD_LIMIT"), NO_SUCH_TOKEN, ...unreadable]
    }).annotateMerge(
      documented({
        tool: "token_holders",
        summary: "Holders of a token on a chain",
        description,
        parameters: { ...ofChain, ...query }
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Holders", description: "Who holds a token" }))
