/** Says what a lane's answers claim of its blocks. */
import type { LaneStatus } from "../../engine/lane/status.ts"

/** Returns the assurance to answer with: null also where nothing is read, as nothing is proven. */
export const toldAssurance = ({
  assurance,
  events
}: Pick<LaneStatus, "assurance" | "events">): LaneStatus["assurance"] =>
  events === 0 ? null : assurance
