/** What queries are handed of the folds, as of a position. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { FoldsView } from "../query.ts"
import { keptFrom, type Retention } from "../store/retention.ts"
import type { Commit } from "../store/store.ts"
import type { FoldSet } from "./fold-set.ts"

/** Of which chain folds are, and how long its rows are kept that leave. */
export interface FoldsOfLane {
  readonly chain: ChainConfig
  readonly folds: FoldSet
  readonly retention: Retention
}

/** Whether the folds' facts are those that pages of a position are made with. */
export const haveFactsOf = ({ folds }: FoldsOfLane, { seq }: Pick<Commit, "seq">): boolean =>
  folds.factsSeq <= seq

/** The view of a lane's folds where they, or its tables, stand at a position. */
export const foldsContextAt = (
  { chain, folds, retention }: FoldsOfLane,
  { seq, block, blockTime }: Pick<Commit, "seq" | "block" | "blockTime">
): FoldsView => {
  const { output, kept } = folds
  const at = { seq, block, blockTime, keptFrom: keptFrom(retention, blockTime) }
  return { chain, ...at, output, kept }
}
