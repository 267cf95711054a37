/** What the source alone knows, put into what the tables tell: unread history, and its warnings. */
import type { NamedChain } from "../../src/domain/shown-chain.ts"
import { without } from "../../streams/open-gaps.ts"
import { BACKFILL_GAP, type Gap } from "../../streams/source.ts"
import { unreadWarning } from "../late/unread-blocks.ts"
import type { LaneStatus } from "./status.ts"

/** The parts of a run of blocks that others hold, too. */
const within = (run: Gap, others: ReadonlyArray<Gap>): ReadonlyArray<Gap> =>
  without([run], without([run], others))

/** The status with the reason of gaps that cannot be read, in place of that they are to be read. */
const withGaps = (status: LaneStatus, chain: NamedChain): LaneStatus => {
  const told = status.source?.history?.unread ?? []
  if (told.length === 0) return status
  const history = status.gaps.filter(({ reason }) => reason === BACKFILL_GAP)
  const unread = told.flatMap(run => within(run, history))
  const others = status.gaps.filter(({ reason }) => reason !== BACKFILL_GAP)
  const gaps = [...others, ...without(history, unread), ...unread]
  return {
    ...status,
    gaps: gaps.sort((a, b) => a.fromBlock - b.fromBlock),
    warnings: [...status.warnings, ...unreadWarning(unread, chain)]
  }
}

/** Why history is not read, where it is not known of which blocks. */
const historyWarning = ({ source }: LaneStatus): ReadonlyArray<string> => {
  const { problem = null, unread = [] } = source?.history ?? {}
  return problem === null || unread.length > 0 ? [] : [`history: ${problem}`]
}

/** The status with what its source warns of, and the reasons of history that cannot be read. */
export const withSourceWords = (status: LaneStatus, chain: NamedChain): LaneStatus => {
  const shown = withGaps(status, chain)
  const warned = [...(status.source?.warnings ?? []), ...historyWarning(status)]
  return warned.length === 0 ? shown : { ...shown, warnings: [...shown.warnings, ...warned] }
}
