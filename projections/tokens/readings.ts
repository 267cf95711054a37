/** How people read a text of each token, its symbol or its name. */

import { NameText } from "../../engine/memory/name-text.ts"
import { readAs } from "../../src/rules/impostor.ts"

/** Readings of all tokens, as others may ask them. */
export interface ReadTexts {
  /** how people read the text of a token; "" where it has none */
  readonly of: (token: number) => string
  /** all of them, to be searched */
  readonly search: () => Omit<NameText, "add" | "clear">
}

/** The texts, by token. */
interface Held {
  readonly count: number
  readonly texts: ReadonlyArray<string | null>
}

export class Readings implements ReadTexts {
  private readonly held: () => Held
  /** by token: what was read, and how; found out once for each text */
  private readonly texts: Array<string | null> = []
  private readonly readings: Array<string> = []
  private readonly all = new NameText()
  private isStale = false

  constructor(held: () => Held) {
    this.held = held
  }

  readonly of = (token: number): string => this.read(token, this.held().texts[token] ?? null)

  readonly search = (): NameText => {
    if (this.isStale) this.clear()
    const { count, texts } = this.held()
    for (let token = this.all.count; token < count; token++) {
      this.all.add(this.read(token, texts[token] ?? null))
    }
    return this.all
  }

  /** The text of a token is another. */
  changed(token: number): void {
    if (token < this.all.count) this.isStale = true
  }

  /** Forgets what is searched: after a rollback there may be fewer tokens, with other texts. */
  clear(): void {
    this.all.clear()
    this.isStale = false
  }

  private read(token: number, text: string | null): string {
    if (this.texts[token] === text) return this.readings[token] as string
    // an array with gaps is a table of hashes
    while (this.texts.length <= token) {
      this.texts.push(null)
      this.readings.push("")
    }
    this.texts[token] = text
    this.readings[token] = text === null ? "" : readAs(text)
    return this.readings[token] as string
  }
}
