/** Parts of folds that pools of several kinds share. */
import type { Event } from "../event.ts"

/** Where a log stands, the same for all events of one. */
export const logPlace = ({ block, logIndex }: Event): string => `${block.number} ${logIndex}`

/**
 * A fold over the pool's own events that keeps the newest time. Every `BlockSealed` tells it too:
 * what moves with the time alone (ramps, fading fees) goes on while nothing happens.
 */
export const timedFold =
  <S extends { readonly pool: string; readonly time: number }>(
    apply: (state: S, event: Event) => S
  ) =>
  (state: S, event: Event): S => {
    const isOwn = "pool" in event && event.pool === state.pool
    if (!isOwn && event.kind !== "BlockSealed") return state
    const next = isOwn ? apply(state, event) : state
    return event.block.time > state.time ? { ...next, time: event.block.time } : next
  }
