/**
 * Which time a log covers. A bucket without prints is proven empty where every block of its time
 * was read; where blocks are missing, or older than the log, nobody can say.
 */

/** Seconds from `from` to `to`, the latter excluded. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

export interface CoveredTime {
  /** what lies before is older than the log; 0 where it begins with the chain */
  readonly start: number
  /** time of blocks that the log lacks, by its start; they may overlap */
  readonly gaps: ReadonlyArray<Stretch>
}

/** What is covered of what is kept from a time on. */
export const ofKept = (kept: number, { start, gaps }: CoveredTime): CoveredTime => ({
  start: Math.max(start, kept),
  gaps
})

/** The second from which on all blocks were read, up to the newest. */
export const completeSince = ({ start, gaps }: CoveredTime): number =>
  gaps.reduce((since, { to }) => Math.max(since, to), start)

export const overlaps = (a: Stretch, b: Stretch): boolean => a.from < b.to && b.from < a.to

/** Whether all blocks of a stretch were read. */
export const isCovered = ({ start, gaps }: CoveredTime, stretch: Stretch): boolean =>
  stretch.from >= start && !gaps.some(gap => overlaps(gap, stretch))

/** What of a window is unknown, oldest first, without overlaps. */
export const unknownIn = (
  { start, gaps }: CoveredTime,
  window: Stretch
): ReadonlyArray<Stretch> => {
  const found: Array<Stretch> = []
  for (const one of [{ from: 0, to: start }, ...gaps]) {
    const from = Math.max(one.from, window.from, found[found.length - 1]?.to ?? 0)
    const to = Math.min(one.to, window.to)
    if (from < to) found.push({ from, to })
  }
  return found
}
