/**
 * Rows of boards as JSON, kept while nothing changes of what they tell: to look whether it did
 * costs a twentieth of making a row.
 */

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
  readonly text: string
}

const isSame = (a: Told, b: Told): boolean => {
  if (a.symbol !== b.symbol || a.name !== b.name) return false
  for (let i = 0; i < a.numbers.length; i++)
    if (!Object.is(a.numbers[i], b.numbers[i])) return false
  for (let i = 0; i < SUPPLY_BYTES; i++) if (a.supply[i] !== b.supply[i]) return false
  return true
}

export class RowTexts {
  private readonly kept = new Map<number, Kept>()

  /** The rows of tokens in this order, as a list in JSON; `make` makes those that are not kept. */
  of(
    tokens: ReadonlyArray<number>,
    teller: (token: number) => Told,
    make: (tokens: ReadonlyArray<number>) => ReadonlyArray<unknown>
  ): string {
    const told = tokens.map(teller)
    const missing = tokens.filter((token, i) => {
      const known = this.kept.get(token)
      return known === undefined || !isSame(known, told[i] as Told)
    })
    const made = new Map(make(missing).map((row, i) => [missing[i], JSON.stringify(row)] as const))
    const texts = tokens.map((token, i) => {
      const text = made.get(token)
      if (text === undefined) return this.kept.get(token)?.text as string
      const { supply, ...rest } = told[i] as Told
      this.kept.delete(token)
      this.kept.set(token, { ...rest, supply: supply.slice(), text })
      return text
    })
    for (const token of this.kept.keys()) {
      if (this.kept.size <= MOST) break
      this.kept.delete(token)
    }
    return `[${texts.join(",")}]`
  }

  clear(): void {
    this.kept.clear()
  }
}
