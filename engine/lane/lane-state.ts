/** What a lane's worker knows of itself between commits, and the status made of it. */
import type { LaneStatus } from "./protocol.ts"

export interface LaneState {
  state: LaneStatus["state"]
  problem: string | null
  logSeq: number
  /** frames up to this position have gone out, perhaps before their commit */
  told: number
  readonly warnings: Array<string>
  /** wanted keys by channel */
  readonly wanted: Map<string, Set<string>>
}

export const newLaneState = (): LaneState => ({
  state: "starting",
  problem: null,
  logSeq: 0,
  told: 0,
  warnings: [],
  wanted: new Map()
})

const MAX_WARNINGS = 20

/** Keeps the newest warnings. */
export const warn = (state: LaneState, text: string): void => {
  state.warnings.push(text)
  if (state.warnings.length > MAX_WARNINGS) state.warnings.shift()
}

/** Notes that frames of a key are wanted or no longer are. */
export const want = (state: LaneState, channel: string, key: string, wanted: boolean): void => {
  const keys = state.wanted.get(channel) ?? new Set()
  if (wanted) keys.add(key)
  else keys.delete(key)
  state.wanted.set(channel, keys)
}
