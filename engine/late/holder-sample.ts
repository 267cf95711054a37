/**
 * A sample of one token's addresses for an audit: those that got the largest amounts at once, and
 * some that are drawn by their hash. It is made from the transfers that a source reads.
 */

/** Addresses of a sample at most: by the largest amount, and by the hash. */
const MAX_LARGEST = 16
const MAX_DRAWN = 16

/** Returns the hash of an address (FNV-1a): the addresses with the highest hashes are drawn. */
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

/** Adds an address to a list of the highest ranks, in which each address stands once. */
const keep = <R extends bigint | number>(
  list: Array<Ranked<R>>,
  limit: number,
  candidate: Ranked<R>
): void => {
  const last = list[list.length - 1]
  if (list.length === limit && last !== undefined && candidate.rank <= last.rank) return
  const listed = list.findIndex(({ address }) => address === candidate.address)
  if (listed >= 0) {
    if ((list[listed] as Ranked<R>).rank >= candidate.rank) return
    list.splice(listed, 1)
  }
  const place = list.findIndex(({ rank }) => rank < candidate.rank)
  list.splice(place < 0 ? list.length : place, 0, candidate)
  if (list.length > limit) list.pop()
}

export class HolderSample {
  private readonly largest: Array<Ranked<bigint>> = []
  private readonly drawn: Array<Ranked<number>> = []

  /** Notes that an address got an amount of the token. */
  sees(address: string, amount: bigint): void {
    keep(this.largest, MAX_LARGEST, { address, rank: amount })
    keep(this.drawn, MAX_DRAWN, { address, rank: rankOf(address) })
  }

  get addresses(): ReadonlyArray<string> {
    return [...new Set([...this.largest, ...this.drawn].map(({ address }) => address))]
  }
}
