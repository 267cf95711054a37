/** The chains swaptape knows, and the reading of a user's file for one it does not. */
import { Data, Predicate, Result, Schema } from "effect"
import { ChainConfig } from "../chain.ts"
import { arbitrum } from "./arbitrum.ts"
import { arc } from "./arc.ts"
import { avalanche } from "./avalanche.ts"
import { base } from "./base.ts"
import { bnb } from "./bnb.ts"
import { problemOf } from "./define-chain.ts"
import { ethereum } from "./ethereum.ts"
import { monad } from "./monad.ts"
import { rh } from "./rh.ts"

export const allChains: ReadonlyArray<ChainConfig> = [
  arc,
  rh,
  monad,
  avalanche,
  base,
  bnb,
  arbitrum,
  ethereum
]

/** A chain file that is not JSON or not a chain; the message names the field. */
export class ChainFileError extends Data.TaggedError("ChainFileError")<{
  readonly message: string
}> {}

const decode = Schema.decodeUnknownResult(ChainConfig)

const HEX_TEXT = /^0x[0-9a-fA-F]+$/

/** Addresses and hashes may be written in any letter case; inside they are lower case. */
const lowerHex = (_: string, value: unknown): unknown =>
  Predicate.isString(value) && HEX_TEXT.test(value) ? value.toLowerCase() : value

const parseJson = (text: string): Result.Result<unknown, ChainFileError> =>
  Result.try({
    try: () => JSON.parse(text, lowerHex) as unknown,
    catch: cause => new ChainFileError({ message: `chain file is not JSON: ${cause}` })
  })

/** A file may replace a chain of the registry, but not take its id or its key alone. */
const clash = (chain: ChainConfig): string | null => {
  const known = allChains.find(({ id, key }) => (id === chain.id) !== (key === chain.key))
  return known === undefined ? null : `mixes id and key of chain ${known.key} (${known.id})`
}

/** A chain described by a user, in the shape of `ChainConfig`. */
export const parseChainFile = (text: string): Result.Result<ChainConfig, ChainFileError> =>
  parseJson(text).pipe(
    Result.flatMap(json =>
      Result.mapError(
        decode(json),
        error => new ChainFileError({ message: `chain file: ${error}` })
      )
    ),
    Result.flatMap(chain => {
      const problem = problemOf(chain) ?? clash(chain)
      return problem === null
        ? Result.succeed(chain)
        : Result.fail(new ChainFileError({ message: `chain file: ${chain.key} ${problem}` }))
    })
  )
