/**
 * Rows of boards as JSON, kept while nothing changes of what they tell: to look whether it did
 * costs a twentieth of making a row.
 */
import { keep } from "../../../engine/query.ts"

/** Rows kept at most, some 1,000 bytes each: the first made go first. */
const MOST = 4096
export const SUPPLY_BYTES = 32

/** What a row is made of. */
export interface Told {
  readonly symbol: string | null
  readonly name: string | null
  readonly supply: Uint8Array
  /** all that is a number, or whether something is; NaN for null */
  readonly numbers: ReadonlyArray<number>
}

interface Kept extends Told {
  readonly text: Uint8Array
}

const encoder = new TextEncoder()
const COMMA = 44

const isSame = (a: Told, b: Told): boolean => {
  if (a.symbol !== b.symbol || a.name !== b.name) return false
  for (let i = 0; i < a.numbers.length; i++)
    if (!Object.is(a.numbers[i], b.numbers[i])) return false
  for (let i = 0; i < SUPPLY_BYTES; i++) if (a.supply[i] !== b.supply[i]) return false
  return true
}

class RowTexts {
  private readonly kept = new Map<number, Kept>()

  /**
   * The rows of tokens in this order, with commas between, after and before some text: as bytes, of
   * which a page has a million. `make` makes the rows that are not kept.
   */
  of(
    tokens: ReadonlyArray<number>,
    teller: (token: number) => Told,
    make: (tokens: ReadonlyArray<number>) => ReadonlyArray<unknown>,
    [before, after]: readonly [string, string]
  ): Uint8Array {
    const told = tokens.map(teller)
    const missing = tokens.filter((token, i) => {
      const known = this.kept.get(token)
      return known === undefined || !isSame(known, told[i] as Told)
    })
    const made = new Map(
      make(missing).map((row, i) => [missing[i], encoder.encode(JSON.stringify(row))] as const)
    )
    const texts = tokens.map((token, i) => {
      const text = made.get(token)
      if (text === undefined) return (this.kept.get(token) as Kept).text
      const { supply, ...rest } = told[i] as Told
      this.kept.delete(token)
      this.kept.set(token, { ...rest, supply: supply.slice(), text })
      return text
    })
    for (const token of this.kept.keys()) {
      if (this.kept.size <= MOST) break
      this.kept.delete(token)
    }
    return joined(texts, encoder.encode(before), encoder.encode(after))
  }
}

export const rowTexts = keep(() => new RowTexts())

const joined = (
  texts: ReadonlyArray<Uint8Array>,
  before: Uint8Array,
  after: Uint8Array
): Uint8Array => {
  const commas = Math.max(0, texts.length - 1)
  const length = texts.reduce((sum, text) => sum + text.length, commas)
  const all = new Uint8Array(before.length + length + after.length)
  all.set(before)
  let at = before.length
  for (const [i, text] of texts.entries()) {
    if (i > 0) all[at++] = COMMA
    all.set(text, at)
    at += text.length
  }
  all.set(after, at)
  return all
}
