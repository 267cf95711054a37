/** What came of states that were read from contracts, since the book began. */

/** How often states that were read agreed with the log, differed, or a swap contradicted one. */
export interface ReadCounts {
  readonly agreed: number
  readonly differed: number
  readonly contradicted: number
}

/** News that wait to be told at most; a log that is read anew may have many. */
const MOST_NEWS = 64

export class ReadRecord {
  private counted: ReadCounts = { agreed: 0, differed: 0, contradicted: 0 }
  private news: Array<string> = []

  get counts(): ReadCounts {
    return this.counted
  }

  agreed(): void {
    this.counted = { ...this.counted, agreed: this.counted.agreed + 1 }
  }

  /** The contracts tell another state of a pool, at a block, than the log does. */
  differed(pool: string, block: number): void {
    this.counted = { ...this.counted, differed: this.counted.differed + 1 }
    this.tell(`the contracts of pool ${pool} tell another state at block ${block} than the log`)
  }

  /** A swap of a pool was none of the state that was read. */
  contradicted(pool: string, block: number): void {
    this.counted = { ...this.counted, contradicted: this.counted.contradicted + 1 }
    this.tell(`a swap of pool ${pool} in block ${block} contradicts the state that was read`)
  }

  private tell(words: string): void {
    if (this.news.length < MOST_NEWS) this.news.push(`${words}: it is read again`)
  }

  /** What was not told yet, in words. */
  takeNews(): ReadonlyArray<string> {
    const { news } = this
    this.news = []
    return news
  }
}
