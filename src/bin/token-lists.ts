/** Loads curated token lists: the default list of a package, and a user's own lists. */
import { createRequire } from "node:module"
import { basename } from "node:path"
import { Effect } from "effect"
import type { ChainConfig } from "../domain/chain.ts"
import { curationOf, type Source } from "../domain/curation.ts"
import { parseTokenList, TokenListError } from "../domain/token-list.ts"
import { optionalList } from "../platform/environment.ts"
import { mustBeFile, readText } from "../platform/files.ts"

const PACKAGE = "@uniswap/default-token-list"

const readList = (path: string, name: string, chains: ReadonlySet<number>) =>
  Effect.flatMap(readText(path), text => Effect.fromResult(parseTokenList(text, name, chains)))

/** Reads the default list from its installed package; we keep no copy, its licence differs. */
const readDefault = (chains: ReadonlySet<number>) =>
  Effect.gen(function* () {
    const path = yield* Effect.try({
      try: () => createRequire(import.meta.url).resolve(PACKAGE),
      catch: () => new TokenListError({ message: `${PACKAGE} is not installed: run npm ci` })
    })
    return { list: yield* readList(path, PACKAGE, chains), isOwn: false } satisfies Source
  })

/** Reads the list files that `TOKEN_LISTS` names. */
const readOwn = (chains: ReadonlySet<number>) =>
  Effect.gen(function* () {
    const paths = (yield* optionalList("TOKEN_LISTS")) ?? []
    return yield* Effect.forEach(paths, path =>
      Effect.gen(function* () {
        yield* mustBeFile("TOKEN_LISTS", path)
        const list = yield* readList(path, `TOKEN_LISTS, ${basename(path)}`, chains)
        return { list, isOwn: true } satisfies Source
      })
    )
  })

/**
 * Adds the lists' curation to each chain's facts. For a devchain only a user's own lists count,
 * since its tokens are not those of the real chain.
 */
export const withTokenLists = <C extends { readonly chain: ChainConfig }>(
  settings: ReadonlyArray<C>,
  isDevchain: boolean
) =>
  Effect.gen(function* () {
    const ids = new Set(settings.map(({ chain }) => chain.id))
    const own = yield* readOwn(ids)
    const sources = isDevchain ? own : [yield* readDefault(ids), ...own]
    return settings.map((setting): C => {
      const curation = curationOf(setting.chain.id, sources)
      return curation === null ? setting : { ...setting, chain: { ...setting.chain, curation } }
    })
  })
