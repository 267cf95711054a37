/** The chains swaptape knows, and the reading of a user's file for one it does not. */
import { Data, Result, Schema } from "effect"
import { ChainConfig } from "../chain.ts"
import { arbitrum } from "./arbitrum.ts"
import { arc } from "./arc.ts"
import { avalanche } from "./avalanche.ts"
import { base } from "./base.ts"
import { bnb } from "./bnb.ts"
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

const parseJson = (text: string): Result.Result<unknown, ChainFileError> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: cause => new ChainFileError({ message: `chain file is not JSON: ${cause}` })
  })

/** A chain described by a user, in the shape of `ChainConfig`, addresses in lower case. */
export const parseChainFile = (text: string): Result.Result<ChainConfig, ChainFileError> =>
  Result.flatMap(parseJson(text), json =>
    Result.mapError(decode(json), error => new ChainFileError({ message: `chain file: ${error}` }))
  )
