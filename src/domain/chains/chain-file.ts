/**
 * A user's file of chains: one row, or a list of rows. A row is a whole chain, which may replace
 * one of the registry's, or names with `extends` the registry's chain that it adds to: rows of its
 * lists come on top, other fields take the place of the registry's.
 */

import { Data, Predicate, Result, Schema } from "effect"
import { ChainConfig } from "../chain.ts"
import { familyOf } from "../chain-family.ts"
import { problemOf } from "./define-chain.ts"
import { allChains } from "./registry.ts"

/** A chain file that is not JSON or tells no chains; the message names the file, row and field. */
class ChainFileError extends Data.TaggedError("ChainFileError")<{
  readonly message: string
}> {}

type Row = { readonly [field: string]: unknown }
type Parsed<A> = Result.Result<A, string>

const decode = Schema.decodeUnknownResult(ChainConfig, { errors: "all" })

const HEX_TEXT = /^0x[0-9a-fA-F]+$/

/** Addresses and hashes may be written in any letter case; inside they are lower case. */
const lowerHex = (_: string, value: unknown): unknown =>
  Predicate.isString(value) && HEX_TEXT.test(value) ? value.toLowerCase() : value

const isRow = (value: unknown): value is Row => Predicate.isObject(value) && !Array.isArray(value)

const fieldNames: ReadonlySet<string> = new Set(Object.keys(ChainConfig.fields))

/** `["venues"][0]["id"]` as `venues[0].id`. */
const pathText = (path: string): string =>
  path.replaceAll(/\["([^"]+)"\]/g, ".$1").replace(/^\./, "")

/** Places of rows as the file counts them: those of the chain that it extends stand before. */
const inFile = (text: string, before: ChainConfig | undefined): string =>
  text.replaceAll(/(^|; )(\w+)\[(\d+)\]/g, (whole, start, field: string, place: string) => {
    const list = before?.[field as keyof ChainConfig]
    const own = Number(place) - (Array.isArray(list) ? list.length : 0)
    return own < 0 ? whole : `${start}${field}[${own}]`
  })

const extendedBy = (row: Row): ChainConfig | undefined => {
  const { extends: base } = row
  return base === undefined ? undefined : allChains.find(c => c.key === base || c.id === base)
}

/** What is wrong with the fields, each with its place. */
const fieldProblems = (message: string): string =>
  message
    .split(/\n(?=\S)/)
    .map(problem => {
      const [what = "", at = ""] = problem.split(/\n\s+at /)
      return at === "" ? what : `${pathText(at)}: ${what}`
    })
    .join("; ")

/** The row with the chain it extends filled in. */
const extended = (row: Row): Parsed<Row> => {
  const { extends: base, ...own } = row
  if (base === undefined) return Result.succeed(own)
  const chain = extendedBy(row)
  if (chain === undefined) return Result.fail(`extends: the registry has no chain ${String(base)}`)
  const merged: { [field: string]: unknown } = { ...chain }
  for (const [field, value] of Object.entries(own)) {
    const before = merged[field]
    merged[field] = Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value
  }
  return Result.succeed(merged)
}

/** A row may replace a chain of the registry, but not take its id or its key alone. */
const clash = (chain: ChainConfig): string | null => {
  const known = allChains.find(({ id, key }) => (id === chain.id) !== (key === chain.key))
  return known === undefined ? null : `mixes id and key of chain ${known.key} (${known.id})`
}

/** Venues of Solana are programs that the engine knows: a file has nothing to tell of them. */
const familyProblem = (chain: ChainConfig): string | null =>
  !familyOf(chain).describable ? "family: a file describes EVM chains alone" : null

/** Kinds that nothing here reads, as far as the reader of the file knows kinds. */
const kindProblem = (
  { venues, candidates = [] }: ChainConfig,
  kinds: ReadonlyArray<string>
): string | null => {
  const all = [...venues, ...candidates]
  const place = all.findIndex(({ kind }) => !kinds.includes(kind))
  if (place < 0) return null
  const field = place < venues.length ? `venues[${place}]` : `candidates[${place - venues.length}]`
  return `${field}.kind: no venue kind ${all[place]?.kind}, one of ${kinds.join(", ")}`
}

const chainOf = (row: unknown, kinds: ReadonlyArray<string>): Parsed<ChainConfig> => {
  if (!isRow(row)) return Result.fail("is no object")
  const strange = Object.keys(row).find(name => name !== "extends" && !fieldNames.has(name))
  if (strange !== undefined) return Result.fail(`${strange}: no field of a chain`)
  return extended(row).pipe(
    Result.flatMap(fields => Result.mapError(decode(fields), e => fieldProblems(e.message))),
    Result.flatMap(chain => {
      const problem =
        problemOf(chain) ?? familyProblem(chain) ?? clash(chain) ?? kindProblem(chain, kinds)
      return problem === null ? Result.succeed(chain) : Result.fail(problem)
    }),
    Result.mapError(problem => inFile(problem, extendedBy(row)))
  )
}

const nameOf = (row: unknown): string => {
  const told = isRow(row) ? (row["key"] ?? row["extends"] ?? row["name"]) : undefined
  return told === undefined ? "" : ` (${String(told)})`
}

/**
 * The chains of a file's text. `file` is its name, for messages; `kinds` are the venue kinds that
 * can be read.
 */
export const parseChainFile = (
  text: string,
  file: string,
  kinds: ReadonlyArray<string>
): Result.Result<ReadonlyArray<ChainConfig>, ChainFileError> =>
  Result.gen(function* () {
    const fail = (message: string) => Result.fail(new ChainFileError({ message }))
    const json = yield* Result.try({
      try: () => JSON.parse(text, lowerHex) as unknown,
      catch: cause => new ChainFileError({ message: `${file}: is not JSON: ${cause}` })
    })
    const chains: Array<ChainConfig> = []
    for (const [i, row] of (Array.isArray(json) ? json : [json]).entries()) {
      const where = `${file}: row ${i + 1}${nameOf(row)}`
      const chain = chainOf(row, kinds)
      if (Result.isFailure(chain)) return yield* fail(`${where}: ${chain.failure}`)
      const { id, key } = chain.success
      if (chains.some(other => other.id === id || other.key === key)) {
        return yield* fail(`${where}: describes chain ${key} (${id}) again`)
      }
      chains.push(chain.success)
    }
    return chains
  })
