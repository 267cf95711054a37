/**
 * Rows of a page as JSON, kept while nothing changes of what they tell: to look whether it did
 * costs a twentieth of making a row, and one look is enough for all pages of a position.
 */

const encoder = new TextEncoder()
const COMMA = 44

/** What a row is made of. */
export interface Told {
  readonly texts: Array<string | null>
  /** all that is a number, or whether something is; NaN for null */
  readonly numbers: Float64Array
}

/** How the rows of a page are told. */
export interface RowTeller {
  /** what all rows follow from: the position, and the rules */
  readonly at: string
  /** writes all that the row of a token follows from */
  readonly tell: (token: number, told: Told) => void
  /** the JSON of rows */
  readonly make: (tokens: ReadonlyArray<number>) => ReadonlyArray<string>
}

/** A row that is to be made, and where it stands on the page. */
interface Changed {
  readonly token: number
  readonly place: number
  readonly told: Told
}

/** Rows by slot, what they follow from beside each other: most of a look is waiting for memory. */
export class RowTexts {
  private readonly most: number
  private readonly slots = new Map<number, number>()
  /** the token of each slot; the slot that was written first is written again first */
  private readonly tokens: Array<number> = []
  private next = 0
  private readonly told: Told
  private readonly texts: Array<string | null> = []
  private readonly numbers: Float64Array
  private readonly json: Array<Uint8Array> = []
  /** by slot: the last round in which it told what it tells */
  private readonly rounds: Uint32Array
  private at = ""
  private round = 0

  /**
   * @param most rows kept at most: the first made go first
   * @param texts texts that a row follows from
   * @param numbers numbers that a row follows from
   */
  constructor(most: number, { texts, numbers }: { texts: number; numbers: number }) {
    this.most = most
    this.told = { texts: new Array(texts).fill(null), numbers: new Float64Array(numbers) }
    this.numbers = new Float64Array(most * numbers)
    this.rounds = new Uint32Array(most)
  }

  /**
   * The rows of tokens in this order, with commas between, after and before some text: as bytes, of
   * which a page has a million.
   */
  of(
    tokens: ReadonlyArray<number>,
    teller: RowTeller,
    [before, after]: readonly [string, string]
  ): Uint8Array {
    if (teller.at !== this.at) {
      this.at = teller.at
      this.round++
    }
    const rows: Array<Uint8Array> = []
    const changed: Array<Changed> = []
    for (const token of tokens) {
      const slot = this.slots.get(token)
      if (slot === undefined || !this.isFresh(slot, token, teller)) {
        if (slot === undefined) teller.tell(token, this.told)
        const { texts, numbers } = this.told
        const told = { texts: texts.slice(), numbers: numbers.slice() }
        changed.push({ token, place: rows.length, told })
      }
      rows.push(slot === undefined ? NONE : (this.json[slot] as Uint8Array))
    }
    const made = teller.make(changed.map(({ token }) => token))
    for (const [i, one] of changed.entries()) {
      rows[one.place] = this.keep(one, encoder.encode(made[i]))
    }
    return joined(rows, encoder.encode(before), encoder.encode(after))
  }

  /** Whether the row of a slot still tells what is; if not, that is in `told`. */
  private isFresh(slot: number, token: number, { tell }: RowTeller): boolean {
    if (this.rounds[slot] === this.round) return true
    const { texts, numbers } = this.told
    tell(token, this.told)
    const firstText = slot * texts.length
    for (let i = 0; i < texts.length; i++) if (this.texts[firstText + i] !== texts[i]) return false
    const first = slot * numbers.length
    for (let i = 0; i < numbers.length; i++) {
      const [one, other] = [this.numbers[first + i] as number, numbers[i] as number]
      // NaN is NaN, and 0 is -0, as in JSON
      if (one !== other && !(Number.isNaN(one) && Number.isNaN(other))) return false
    }
    this.rounds[slot] = this.round
    return true
  }

  private keep({ token, told: { texts, numbers } }: Changed, json: Uint8Array): Uint8Array {
    let slot = this.slots.get(token)
    if (slot === undefined) {
      slot = this.next
      this.next = (slot + 1) % this.most
      if (slot < this.tokens.length) this.slots.delete(this.tokens[slot] as number)
      this.tokens[slot] = token
      this.slots.set(token, slot)
    }
    for (const [i, text] of texts.entries()) this.texts[slot * texts.length + i] = text
    this.numbers.set(numbers, slot * numbers.length)
    this.rounds[slot] = this.round
    this.json[slot] = json
    return json
  }
}

const NONE = new Uint8Array(0)

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
