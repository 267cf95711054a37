/**
 * Addresses of one token that are worth being asked about: those that got most of it at once, and
 * some that only their hash chose. Made of the transfers that a source reads, in little memory.
 */

const LARGEST = 16
const DRAWN = 16

/** Chooses addresses evenly (FNV-1a). */
const rankOf = (address: string): number => {
  let hash = 0x811c9dc5
  for (let i = 2; i < address.length; i++) {
    hash = Math.imul(hash ^ address.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

interface Ranked<R> {
  readonly address: string
  readonly rank: R
}

/** Keeps the addresses of the highest ranks, each once, by its highest. */
const keep = <R extends bigint | number>(
  list: Array<Ranked<R>>,
  most: number,
  one: Ranked<R>
): void => {
  const last = list[list.length - 1]
  if (list.length === most && last !== undefined && one.rank <= last.rank) return
  const known = list.findIndex(({ address }) => address === one.address)
  if (known >= 0) {
    if ((list[known] as Ranked<R>).rank >= one.rank) return
    list.splice(known, 1)
  }
  const place = list.findIndex(({ rank }) => rank < one.rank)
  list.splice(place < 0 ? list.length : place, 0, one)
  if (list.length > most) list.pop()
}

export class HolderSample {
  private readonly largest: Array<Ranked<bigint>> = []
  private readonly drawn: Array<Ranked<number>> = []

  /** An address got some of the token. */
  sees(address: string, amount: bigint): void {
    keep(this.largest, LARGEST, { address, rank: amount })
    keep(this.drawn, DRAWN, { address, rank: rankOf(address) })
  }

  get addresses(): ReadonlyArray<string> {
    return [...new Set([...this.largest, ...this.drawn].map(({ address }) => address))]
  }
}
