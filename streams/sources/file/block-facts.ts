/** Times and hashes of blocks from a side file, for logs that do not carry them. */
import { Effect, Predicate } from "effect"
import { fromHex } from "../../../src/domain/address.ts"
import type { SourceError } from "../../source.ts"
import { fileError, forEachJsonLine } from "./line-reader.ts"
import { quantity, timeProblem } from "./log-json.ts"

export interface BlockFact {
  /** Unix seconds */
  readonly time: number
  readonly hash: Uint8Array | null
  readonly parentHash: Uint8Array | null
}

export type BlockFacts = ReadonlyMap<number, BlockFact>

const HASH = /^0x[0-9a-fA-F]{64}$/

const hashOf = (value: unknown): Uint8Array | null =>
  Predicate.isString(value) && HASH.test(value) ? fromHex(value) : null

/**
 * Blocks by number out of NDJSON of `{ number, timestamp, hash?, parentHash? }`, or of transactions
 * with `blockNumber` and `blockTimestamp`; rows of other chains are passed over. Two rows that
 * disagree about a block's time are an error.
 */
export const readBlockFacts = (
  paths: ReadonlyArray<string>,
  chainId: number
): Effect.Effect<BlockFacts, SourceError> => {
  const facts = new Map<number, BlockFact>()
  const readOne = (path: string) =>
    forEachJsonLine(path, (value, line) => {
      if (!Predicate.isObject(value)) return fileError(path, `line ${line} is not an object`)
      const chain = value["chainId"] === undefined ? chainId : quantity(value["chainId"])
      if (chain !== chainId) return null
      const number = quantity(value["number"] ?? value["blockNumber"])
      if (number === null) return fileError(path, `line ${line} has no block number`)
      const stated = value["timestamp"] ?? value["blockTimestamp"] ?? null
      if (stated === null) return null
      const time = quantity(stated)
      if (time === null) return fileError(path, `line ${line} has no time in seconds`)
      const late = timeProblem(time)
      if (late !== null) return fileError(path, `line ${line}: timestamp ${late}`)
      const known = facts.get(number)
      if (known !== undefined && known.time !== time) {
        return fileError(path, `line ${line} gives block ${number} another time than before`)
      }
      const isBlock = value["number"] !== undefined
      const hash = hashOf(isBlock ? value["hash"] : value["blockHash"]) ?? known?.hash ?? null
      const parentHash = hashOf(value["parentHash"]) ?? known?.parentHash ?? null
      facts.set(number, { time, hash, parentHash })
      return null
    })
  return Effect.as(Effect.forEach(paths, readOne), facts)
}
