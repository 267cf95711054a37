/**
 * What differs between kinds of chains, for whoever reads, folds or answers: a kind that comes is
 * one more row here, beside how it writes identities (`ids.ts`), its source and its files.
 */
import type { ChainFamily } from "./ids.ts"

export interface Family {
  /** whether its chains are named by their key, as they have no id */
  readonly named: "id" | "key"
  /** units of `updatedAt` in a second (spec, part 1) */
  readonly updatedAtPerSecond: 1 | 1000
  /** code of a token that never traded (spec, part 7) */
  readonly unknownToken: "UNKNOWN_TOKEN" | "TOKEN_NOT_FOUND"
  /** whether the tape of a token that never traded is a page without prints, and no refusal */
  readonly tellsEmptyTapes: boolean
  /** code of a chain whose tables are not built yet (spec 4.12 and 4.14) */
  readonly notReady: "NOT_READY" | "CHAIN_DATA_UNAVAILABLE"
  /** whether transfers of tokens are read, and so who holds them */
  readonly readsTransfers: boolean
  /** whether wash trading and impostors are flagged */
  readonly flags: boolean
  /** whether swaps are quoted and built */
  readonly trades: boolean
  /** who trades: the sender through known contracts, or whom the decoder told */
  readonly trader: "sender" | "decoder"
  /** whether a block's header commits to what is in it, so that one node can prove it */
  readonly provesBlocks: boolean
  /** whether ids of venues end in a version */
  readonly versionedVenues: boolean
  /** whether a user's file may describe chains, since any factory can be read */
  readonly describable: boolean
  /** ERC-4337's entry points are the same contracts on all of its chains */
  readonly hasEntryPoints: boolean
  /** whether its status has a gate, which says whether its figures may be shown (spec 4.14) */
  readonly hasGate: boolean
  /** what files of it hold, after "files of" or "raw" */
  readonly files: "logs" | "blocks"
  /** what a block is of that endpoints may leave out or tell otherwise */
  readonly contents: "logs" | "transactions"
  /** what ends the doubt of a block, after "until" */
  readonly settled: string
  /** which endpoint would end it, and which would have old blocks, by the setting of endpoints */
  readonly settledBy: (rpc: string) => string
  readonly keptBy: (rpc: string) => string
}

const evm: Family = {
  named: "id",
  updatedAtPerSecond: 1000,
  unknownToken: "UNKNOWN_TOKEN",
  tellsEmptyTapes: true,
  notReady: "NOT_READY",
  readsTransfers: true,
  flags: true,
  trades: true,
  trader: "sender",
  provesBlocks: true,
  versionedVenues: true,
  describable: true,
  hasEntryPoints: true,
  hasGate: false,
  files: "logs",
  contents: "logs",
  settled: "an endpoint proves them",
  settledBy: rpc => `an endpoint in ${rpc} that has its receipts would prove it`,
  keptBy: rpc =>
    `an endpoint in ${rpc} that keeps all logs and receipts (an archive node) would have them`
}

const solana: Family = {
  named: "key",
  updatedAtPerSecond: 1,
  unknownToken: "TOKEN_NOT_FOUND",
  tellsEmptyTapes: false,
  notReady: "CHAIN_DATA_UNAVAILABLE",
  readsTransfers: false,
  flags: false,
  trades: false,
  trader: "decoder",
  provesBlocks: false,
  versionedVenues: false,
  describable: false,
  hasEntryPoints: false,
  hasGate: true,
  files: "blocks",
  contents: "transactions",
  settled: "endpoints tell them alike",
  settledBy: rpc => `one more endpoint in ${rpc} would decide which of them is right`,
  keptBy: rpc => `an endpoint in ${rpc} that keeps all blocks would have them`
}

const families: { readonly [family in ChainFamily]: Family } = { evm, solana }

/** Returns what holds of a chain by its kind; one that names none is an EVM chain. */
export const familyOf = ({ family = "evm" }: { readonly family?: ChainFamily }): Family =>
  families[family]
