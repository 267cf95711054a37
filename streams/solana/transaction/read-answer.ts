/** Reads a node's answer to `getBlock` from its bytes: scanned first, parsed where it is wanted. */
import { Result } from "effect"
import { base58Ids } from "../../../src/domain/ids.ts"
import type { BlockContent } from "../block.ts"
import type { MalformedTransaction, Transaction } from "../transaction.ts"
import { wholeNumber } from "./fields.ts"
import type { ProgramNames } from "./program-names.ts"
import { type BlockFacts, readTransaction } from "./read-transaction.ts"
import {
  type NoBlockScanned,
  type ScannedBlock,
  type ScannedTransactions,
  scanBlock,
  type UnreadableBlock
} from "./scan-block.ts"

export interface AnsweredBlock extends BlockContent {
  readonly _tag: "AnsweredBlock"
  /** null where the answer does not tell it, as nodes do not */
  readonly slot: number | null
  /** whether it tells transactions, and not their signatures alone */
  readonly hasTransactions: boolean
}

/** Letters of a hash that is none, as far as a reason shows it. */
const MOST_SHOWN = 44

const fieldOf = (fields: ScannedBlock["fields"], key: string): unknown => {
  const text = fields.get(key)
  if (text === undefined) return undefined
  return Result.getOrElse(
    Result.try(() => JSON.parse(text) as unknown),
    () => undefined
  )
}

const textField = (fields: ScannedBlock["fields"], key: string): string | null => {
  const value = fieldOf(fields, key)
  return typeof value === "string" && value !== "" ? value : null
}

/** Whether a field that a node may leave out is told, and as no whole number from 0. */
const isOdd = (fields: ScannedBlock["fields"], key: string): boolean => {
  const value = fieldOf(fields, key) ?? null
  return value !== null && wholeNumber(value) === null
}

/** Of a node's own words. */
const unreadable = (reason: string): UnreadableBlock => ({
  ...{ _tag: "UnreadableBlock", isJson: true, reason }
})

/** Parses the transactions that somebody wants, and no others. */
const wantedOf = (
  bytes: Buffer,
  { from, to, failed, watched }: ScannedTransactions,
  facts: BlockFacts,
  programs: ReadonlySet<string>
): ReadonlyArray<Transaction | MalformedTransaction> => {
  const found: Array<Transaction | MalformedTransaction> = []
  for (const [at, isWatched] of watched.entries()) {
    if (!isWatched || failed[at] === true) continue
    const text = bytes.toString("utf8", from[at], to[at])
    const json = Result.try(() => JSON.parse(text) as unknown)
    found.push(
      Result.isSuccess(json)
        ? readTransaction(json.success, facts, programs)
        : { _tag: "MalformedTransaction", reason: "no JSON" }
    )
  }
  return found
}

/** The signatures of `transactionDetails: signatures`; none where only the block itself is told. */
const listedSignatures = (bytes: Buffer, scanned: ScannedBlock): ReadonlyArray<string> | null => {
  const place = scanned.signaturesAt
  if (place === null) return []
  const json = Result.try(() => JSON.parse(bytes.toString("utf8", ...place)) as unknown)
  if (Result.isFailure(json) || !Array.isArray(json.success)) return null
  return json.success.every(one => typeof one === "string") ? json.success : null
}

/**
 * Reads the text of a block, with or without the envelope of JSON-RPC.
 *
 * @param slot the slot that was asked for; null where nobody knows
 */
export const readAnsweredBlock = (
  bytes: Buffer,
  from: number,
  to: number,
  names: ProgramNames,
  slot: number | null
): AnsweredBlock | NoBlockScanned | UnreadableBlock => {
  const scanned = scanBlock(bytes, from, to, names)
  if (scanned._tag !== "ScannedBlock") return scanned
  const { fields, transactions } = scanned
  const hash = textField(fields, "blockhash")
  const parentHash = textField(fields, "previousBlockhash")
  const parentSlot = wholeNumber(fieldOf(fields, "parentSlot"))
  const signatures = transactions?.signatures ?? listedSignatures(bytes, scanned)
  if (hash === null || parentHash === null || parentSlot === null || signatures === null) {
    return unreadable("a block without hash, parent or signatures")
  }
  const wrong = [hash, parentHash].find(text => base58Ids.parseAccount(text) === null)
  if (wrong !== undefined) {
    const words = JSON.stringify(wrong.slice(0, MOST_SHOWN))
    return unreadable(`the hash ${words} is no base58 of 32 bytes`)
  }
  const odd = ["blockTime", "blockHeight"].find(key => isOdd(fields, key))
  if (odd !== undefined) {
    return unreadable(`${odd} is told as ${fields.get(odd)?.slice(0, MOST_SHOWN)}`)
  }
  const timeSeconds = wholeNumber(fieldOf(fields, "blockTime"))
  const told = wholeNumber(fieldOf(fields, "slot"))
  const facts = { slot: slot ?? told, blockTimeSeconds: timeSeconds }
  return {
    ...{ _tag: "AnsweredBlock", hash, parentSlot, parentHash, timeSeconds, signatures },
    slot: facts.slot,
    hasTransactions: transactions !== null,
    height: wholeNumber(fieldOf(fields, "blockHeight")),
    failed: transactions?.failed.filter(isFailed => isFailed).length ?? 0,
    transactions: transactions === null ? [] : wantedOf(bytes, transactions, facts, names.programs)
  }
}
