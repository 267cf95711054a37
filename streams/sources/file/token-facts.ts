/** What is known of tokens before files are read: of the registry, and of side files. */
import { basename } from "node:path"
import { Effect } from "effect"
import type { ChainConfig } from "../../../src/domain/chain.ts"
import { idsOf } from "../../../src/domain/ids.ts"
import { FactBook, type TokenFact } from "../../facts.ts"
import type { SourceError } from "../../source.ts"
import type { Rejection } from "./log-cursor.ts"
import { readTokenFile } from "./token-file.ts"

/** The registry's word on an anchor; its name is the file's where that tells one. */
const anchorFact = (anchor: ChainConfig["anchors"][number], told: TokenFact | null): TokenFact => ({
  token: anchor.address,
  symbol: anchor.symbol,
  name: told?.name ?? anchor.name ?? null,
  decimals: anchor.decimals,
  totalSupply: null,
  source: "registry"
})

/**
 * Facts of the chain's anchors and of the tokens of files, and which tokens the files tell of. The
 * first row of a token counts, and further ones are told to `onReject`.
 */
export const readTokenFacts = (
  chain: ChainConfig,
  paths: ReadonlyArray<string>,
  onReject: (rejection: Rejection) => void
): Effect.Effect<
  { readonly book: FactBook; readonly tokens: ReadonlyArray<string> },
  SourceError
> =>
  Effect.gen(function* () {
    const book = new FactBook()
    const first = new Map<string, string>()
    for (const path of paths) {
      const file = basename(path)
      for (const { fact, line } of yield* readTokenFile(path, idsOf(chain))) {
        const { token } = fact
        const before = first.get(token)
        if (before !== undefined) {
          const reason = `token ${token} stands in ${before} already, which counts`
          onReject({ file, line, reason })
          continue
        }
        first.set(token, `${file}:${line}`)
        book.addToken(fact)
      }
    }
    for (const anchor of chain.anchors) {
      book.addToken(anchorFact(anchor, book.token(anchor.address)))
    }
    return { book, tokens: [...first.keys()] }
  })
