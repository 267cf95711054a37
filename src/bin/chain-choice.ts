/** Finds a chain by key or id: the registry's, or one that a user's file describes. */
import { Effect, Schema } from "effect"
import type { ChainConfig } from "../domain/chain.ts"
import { allChains, parseChainFile } from "../domain/chains/registry.ts"
import { readText } from "../platform/files.ts"

export class UnknownChain extends Schema.TaggedError<UnknownChain>()("UnknownChain", {
  message: Schema.String
}) {}

/** The chain with this key or id; files come before the registry. */
export const findChain = (wanted: string, chainFiles: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const described: Array<ChainConfig> = []
    for (const file of chainFiles) {
      described.push(yield* Effect.fromResult(parseChainFile(yield* readText(file))))
    }
    const lower = wanted.toLowerCase()
    const found = [...described, ...allChains].find(
      chain => chain.key === lower || String(chain.id) === lower
    )
    if (found !== undefined) return found
    return yield* new UnknownChain({
      message: `chain ${wanted} is not in the registry: describe it in a file and pass --chain-file`
    })
  })
