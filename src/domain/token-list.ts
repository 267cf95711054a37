/**
 * Curated token lists in the Uniswap token list format (tokenlists.org): which tokens of a chain
 * somebody vouches for. A list is an opinion beside the log: no fold reads it, no table holds it.
 */
import { Data, Predicate, Result, Schema } from "effect"

/** A token as a list has it; what the chain says of itself may differ and comes first. */
export interface CuratedToken {
  /** lower case */
  readonly address: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly logoURI: string | null
  readonly tags: ReadonlyArray<string>
  /** whether it is a tokenised stock (`stock-rule.ts`) */
  readonly isStock: boolean
}

/** What lists say of a chain's tokens; absent on chains that no list covers. */
export interface Curation {
  readonly lists: ReadonlyArray<{ readonly name: string; readonly version: string }>
  readonly tokens: ReadonlyArray<CuratedToken>
}

const ListedToken = Schema.Struct({
  chainId: Schema.Int,
  address: Schema.String.check(Schema.isPattern(/^0x[a-fA-F0-9]{40}$/)),
  name: Schema.String.check(Schema.isMaxLength(256)),
  symbol: Schema.String.check(Schema.isMaxLength(64)),
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })),
  logoURI: Schema.optionalKey(Schema.String),
  tags: Schema.optionalKey(Schema.Array(Schema.String))
})
export type ListedToken = typeof ListedToken.Type

const ListVersion = Schema.Struct({ major: Schema.Int, minor: Schema.Int, patch: Schema.Int })

export interface TokenList {
  readonly name: string
  readonly version: string
  /** of the chains that were asked for, in the list's order */
  readonly tokens: ReadonlyArray<ListedToken>
}

/** A file that is no token list; the message names the file, the token and its field. */
export class TokenListError extends Data.TaggedError("TokenListError")<{
  readonly message: string
}> {}

const decodeToken = Schema.decodeUnknownResult(ListedToken)
const decodeVersion = Schema.decodeUnknownResult(ListVersion)

/** The first problem, on one line, as `field: what is wrong`. */
const oneLine = (message: string): string => {
  const [what = "", at = ""] = message.split(/\n\s+at /)
  const field = at.replaceAll(/\["([^"]+)"\]/g, ".$1").replace(/^\./, "")
  return field === "" ? what : `${field}: ${what}`
}

/**
 * The list of a file's text, with the tokens of some chains only: a list may hold other chains'
 * tokens in forms of their own. `file` is its name, for messages.
 */
export const parseTokenList = (
  text: string,
  file: string,
  chains: ReadonlySet<number>
): Result.Result<TokenList, TokenListError> =>
  Result.gen(function* () {
    const fail = (problem: string) =>
      Result.fail(
        new TokenListError({
          message: `${file}: ${problem}; a list in the Uniswap token list format is wanted`
        })
      )
    const json = yield* Result.try({
      try: () => JSON.parse(text) as unknown,
      catch: cause => new TokenListError({ message: `${file}: is not JSON: ${cause}` })
    })
    if (!Predicate.isObject(json)) return yield* fail("is no object")
    const { name, version, tokens } = json as { readonly [field: string]: unknown }
    if (typeof name !== "string" || name.trim() === "") return yield* fail("name: is no text")
    const told = decodeVersion(version)
    if (Result.isFailure(told)) return yield* fail("version: has no major, minor and patch")
    if (!Array.isArray(tokens)) return yield* fail("tokens: is no list")
    const wanted: Array<ListedToken> = []
    for (const [i, row] of tokens.entries()) {
      const chain: unknown = Predicate.isObject(row) ? Reflect.get(row, "chainId") : undefined
      if (!Number.isSafeInteger(chain)) return yield* fail(`tokens[${i}].chainId: is no chain id`)
      if (!chains.has(chain as number)) continue
      const token = decodeToken(row)
      if (Result.isFailure(token)) {
        return yield* fail(`tokens[${i}].${oneLine(token.failure.message)}`)
      }
      wanted.push(token.success)
    }
    const { major, minor, patch } = told.success
    return { name, version: `${major}.${minor}.${patch}`, tokens: wanted }
  })
