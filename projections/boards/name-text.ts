/**
 * Readings of all tokens as one text, so that a search of all of them is a search of one text: to
 * look into each by itself costs ten times as much.
 */

/** No reading has one. */
const END = "\n"

export class NameText {
  private text = END
  /** by token: where its reading begins */
  private starts = new Uint32Array(1024)
  private readings: Array<string> = []

  /** Takes up the readings of all tokens: new ones at the end, all where an old one changed. */
  update(readings: ReadonlyArray<string>, count: number): void {
    const known = this.readings
    for (let token = 0; token < known.length; token++) {
      if (known[token] === readings[token] && token < count) continue
      this.text = END
      this.readings = []
      break
    }
    if (this.starts.length < count) {
      const grown = new Uint32Array(Math.max(count, this.starts.length * 2))
      grown.set(this.starts)
      this.starts = grown
    }
    const added: Array<string> = []
    let end = this.text.length
    for (let token = this.readings.length; token < count; token++) {
      const reading = readings[token] as string
      this.starts[token] = end
      end += reading.length + 1
      added.push(reading, END)
      this.readings.push(reading)
    }
    if (added.length > 0) this.text += added.join("")
  }

  /** Calls `take` with each token whose reading has the wanted one in it, ascending. */
  having(wanted: string, take: (token: number) => void): void {
    const { text, starts, readings } = this
    const count = readings.length
    let token = 0
    for (let at = text.indexOf(wanted, 1); at >= 0; ) {
      while (token + 1 < count && (starts[token + 1] as number) <= at) token++
      take(token)
      if (++token >= count) return
      at = text.indexOf(wanted, starts[token])
    }
  }

  /** The same of readings that begin with it; `isWhole` where there is nothing more. */
  beginning(wanted: string, take: (token: number, isWhole: boolean) => void): void {
    const { text, starts, readings } = this
    const count = readings.length
    const from = END + wanted
    let token = 0
    for (let at = text.indexOf(from); at >= 0; ) {
      while (token < count && (starts[token] as number) <= at) token++
      if (token >= count) return
      take(token, (readings[token] as string).length === wanted.length)
      at = text.indexOf(from, at + 1)
    }
  }

  clear(): void {
    this.text = END
    this.readings = []
  }
}
