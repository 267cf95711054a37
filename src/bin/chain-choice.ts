/** Finds a chain by key or id in the registry and in the files of a user. */
import { basename } from "node:path"
import { Effect, Schema } from "effect"
import { venueKinds } from "../../streams/evm/venue-kinds.ts"
import { type ChainConfig, isNamed } from "../domain/chain.ts"
import { parseChainFile } from "../domain/chains/chain-file.ts"
import { allChains } from "../domain/chains/registry.ts"
import { optionalList } from "../platform/environment.ts"
import { mustBeFile, readText } from "../platform/files.ts"

class UnknownChain extends Schema.TaggedError<UnknownChain>()("UnknownChain", {
  message: Schema.String
}) {}

const kinds = venueKinds.map(({ kind }) => kind)

/**
 * Returns all chains. Of chains with the same id, one from the command's files wins over one from
 * `CHAINS_FILE`, and that one over the registry's.
 */
export const readChains = (chainFiles: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const all: Array<ChainConfig> = []
    for (const file of [...chainFiles, ...((yield* optionalList("CHAINS_FILE")) ?? [])]) {
      yield* mustBeFile("the file of chains", file)
      const text = yield* readText(file)
      const chains = yield* Effect.fromResult(parseChainFile(text, basename(file), kinds))
      all.push(...chains.filter(chain => all.every(({ id }) => id !== chain.id)))
    }
    return [...all, ...allChains.filter(chain => all.every(({ id }) => id !== chain.id))]
  })

/** Returns the chain with this key or id, in any case; fails with the known keys where none is. */
export const findChain = (wanted: string, chainFiles: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const chains = yield* readChains(chainFiles)
    const found = chains.find(chain => isNamed(chain, wanted))
    if (found !== undefined) return found
    return yield* new UnknownChain({
      message:
        `there is no chain ${wanted}, only ${chains.map(({ key }) => key).join(", ")}: ` +
        "describe it in a file and pass --chain-file, or set CHAINS_FILE"
    })
  })
