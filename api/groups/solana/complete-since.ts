/** From when on a log lacks nothing. */
import type { CoveredTime } from "../../../src/domain/covered-time.ts"

/** Returns the second from which on all blocks were read, up to the newest. */
export const completeSince = ({ start, gaps }: CoveredTime): number =>
  gaps.reduce((since, { to }) => Math.max(since, to), start)
