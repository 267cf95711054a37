/**
 * Rows of boards as JSON, kept while nothing changes of what they tell: to look whether it did
 * costs a twentieth of making a row, and one look is enough for all boards of a position.
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
  /** of what it is known to tell */
  at: string
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

type MakeRows = (tokens: ReadonlyArray<number>) => ReadonlyArray<unknown>

class RowTexts {
  private readonly kept = new Map<number, Kept>()

  /**
   * The rows of tokens in this order, with commas between, after and before some text: as bytes, of
   * which a page has a million.
   *
   * @param at names all that rows follow from: the position, and the rules
   * @param make makes the rows that are not kept
   */
  of(
    tokens: ReadonlyArray<number>,
    at: string,
    teller: (token: number) => Told,
    make: MakeRows,
    [before, after]: readonly [string, string]
  ): Uint8Array {
    this.renew(tokens, at, teller, make)
    const texts = tokens.map(token => (this.kept.get(token) as Kept).text)
    for (const token of this.kept.keys()) {
      if (this.kept.size <= MOST) break
      this.kept.delete(token)
    }
    return joined(texts, encoder.encode(before), encoder.encode(after))
  }

  /** Makes those rows anew of which something has changed. */
  private renew(
    tokens: ReadonlyArray<number>,
    at: string,
    teller: (token: number) => Told,
    make: MakeRows
  ): void {
    const changed: Array<readonly [number, Told]> = []
    for (const token of tokens) {
      const known = this.kept.get(token)
      if (known?.at === at) continue
      const told = teller(token)
      if (known !== undefined && isSame(known, told)) known.at = at
      else changed.push([token, told])
    }
    const rows = make(changed.map(([token]) => token))
    for (const [i, [token, { supply, ...rest }]] of changed.entries()) {
      const text = encoder.encode(JSON.stringify(rows[i]))
      this.kept.delete(token)
      this.kept.set(token, { ...rest, supply: supply.slice(), text, at })
    }
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
