/** What the parameters of Balancer's pools of both vaults have in common. */
import type { Event, EventOf } from "../event.ts"

export interface BalancerParameters {
  readonly tokens: ReadonlyArray<string>
  /** 18 decimals, null until told */
  readonly swapFee: bigint | null
  /** times 1000; moving until `ampEndTime` */
  readonly amp: bigint | null
  readonly ampEndTime: bigint
  /** by place in `tokens`, 18 decimals */
  readonly weights: ReadonlyArray<bigint | undefined>
  readonly paused: boolean
  /** Unix seconds of the last event seen */
  readonly time: number
}

/** The state with a parameter that both vaults' pools have. */
export const withBalancerParameter = <S extends BalancerParameters>(
  state: S,
  { name, index, value }: EventOf<"PoolParameterSet">
): S => {
  switch (name) {
    case "swapFee":
      return { ...state, swapFee: value }
    case "amp":
      return { ...state, amp: value, ampEndTime: 0n }
    case "ampEnd":
      return { ...state, amp: value }
    case "ampEndTime":
      return { ...state, ampEndTime: value }
    case "weight": {
      const weights = [...state.weights]
      if (index !== null && index >= 0 && index < state.tokens.length) weights[index] = value
      return { ...state, weights }
    }
    case "paused":
      return { ...state, paused: value !== 0n }
    default:
      return state
  }
}

/** The fold that also keeps the newest time of the events that changed something, and of blocks. */
export const keepingTime =
  <S extends BalancerParameters>(applied: (state: S, event: Event) => S) =>
  (state: S, event: Event): S => {
    const next = applied(state, event)
    const { time } = event.block
    const counts = next !== state || event.kind === "BlockSealed"
    return !counts || time <= next.time ? next : { ...next, time }
  }
