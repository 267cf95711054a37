/** Token facts from a file: CSV with a header, a JSON array, or one JSON object a line. */
import { Effect, Predicate, Result } from "effect"
import type { IdForm } from "../../../src/domain/ids.ts"
import type { TokenFact } from "../../facts.ts"
import type { SourceError } from "../../source.ts"
import { fileError, forEachLine } from "./line-reader.ts"

/** A fact and the line of the file that tells it. */
export interface ToldToken {
  readonly fact: TokenFact
  readonly line: number
}

type Row = { readonly [name: string]: unknown }

const textOf = (value: unknown): string | null =>
  Predicate.isString(value) && value !== "" ? value : null

/** The fields of one CSV line; quotes as in RFC 4180. Null where a quote does not end. */
const csvFields = (text: string): ReadonlyArray<string> | null => {
  const fields: Array<string> = []
  let at = 0
  for (;;) {
    let field = ""
    if (text[at] === '"') {
      for (at++; ; at++) {
        if (at >= text.length) return null
        if (text[at] !== '"') field += text[at]
        else if (text[at + 1] === '"') field += text[at++]
        else break
      }
      at++
    } else {
      const comma = text.indexOf(",", at)
      const end = comma < 0 ? text.length : comma
      field = text.slice(at, end)
      at = end
    }
    fields.push(field)
    if (at >= text.length) return fields
    if (text[at] !== ",") return null
    at++
  }
}

/** The fact of a row, or what is wrong with it. Decimals may be missing, not malformed. */
const factOf = (row: Row, ids: IdForm): TokenFact | string => {
  const told = row["address"]
  const address = Predicate.isString(told) ? ids.parseAccount(told.trim()) : null
  if (address === null) return "no address"
  const stated = row["decimals"] ?? null
  const decimals = stated === null || stated === "" ? null : Number(stated)
  if (decimals !== null && (!Number.isInteger(decimals) || decimals < 0 || decimals > 255)) {
    return "decimals are not 0 to 255"
  }
  return {
    token: address,
    symbol: textOf(row["symbol"]),
    name: textOf(row["name"]),
    decimals,
    totalSupply: null,
    source: "file"
  }
}

const rowsOfJson = (text: string): ReadonlyArray<Row> | null => {
  const value = Result.try(() => JSON.parse(text) as unknown)
  if (Result.isFailure(value)) return null
  const list = Array.isArray(value.success) ? value.success : [value.success]
  return list.every(Predicate.isObject) ? (list as ReadonlyArray<Row>) : null
}

/** Reads lines as rows. The first one tells the form: CSV header, array over lines, or object. */
class TokenLines {
  readonly facts: Array<ToldToken> = []
  private header: ReadonlyArray<string> | null = null
  private array: Array<string> | null = null
  private readonly path: string
  private readonly ids: IdForm

  constructor(path: string, ids: IdForm) {
    this.path = path
    this.ids = ids
  }

  line(text: string, line: number): SourceError | null {
    if (line === 1) {
      if (/^\s*\[/.test(text)) this.array = []
      else if (!/^\s*\{/.test(text)) return this.readHeader(text)
    }
    if (this.header !== null) return this.csvRow(this.header, text.trimEnd(), line)
    if (this.array === null) return this.json(text, line)
    this.array.push(text)
    return null
  }

  /** Reads what only the end of the file completes. */
  end(): SourceError | null {
    return this.array === null ? null : this.json(this.array.join("\n"), this.array.length)
  }

  private readHeader(text: string): SourceError | null {
    this.header = (csvFields(text.trim()) ?? []).map(name => name.trim().toLowerCase())
    return this.header.includes("address")
      ? null
      : fileError(this.path, "neither JSON nor CSV with a column named address")
  }

  private json(text: string, line: number): SourceError | null {
    const rows = rowsOfJson(text)
    return rows === null
      ? fileError(this.path, `line ${line} is not JSON of token objects`)
      : this.add(rows, line)
  }

  private csvRow(header: ReadonlyArray<string>, text: string, line: number): SourceError | null {
    const fields = csvFields(text)
    if (fields === null) return fileError(this.path, `line ${line} has an open quote`)
    return this.add([Object.fromEntries(header.map((name, i) => [name, fields[i]?.trim()]))], line)
  }

  private add(rows: ReadonlyArray<Row>, line: number): SourceError | null {
    for (const row of rows) {
      const fact = factOf(row, this.ids)
      if (typeof fact === "string") return fileError(this.path, `line ${line}: ${fact}`)
      this.facts.push({ fact, line })
    }
    return null
  }
}

/** The facts of a tokens file (columns `address, symbol, name, decimals`); errors are fatal. */
export const readTokenFile = (
  path: string,
  ids: IdForm
): Effect.Effect<ReadonlyArray<ToldToken>, SourceError> =>
  Effect.suspend(() => {
    const lines = new TokenLines(path, ids)
    return forEachLine(path, (text, line) => lines.line(text, line)).pipe(
      Effect.andThen(() => lines.end() ?? Effect.succeed(lines.facts))
    )
  })
