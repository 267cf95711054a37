/** How answers name a chain and the time that they reflect (spec, part 1). */
import { familyOf } from "./chain-family.ts"
import type { ChainFamily } from "./ids.ts"

export interface NamedChain {
  readonly id: number
  readonly family?: ChainFamily
}

/** What answers call a chain: its id, and Solana, which has none, by its key. */
export type ShownChain = number | "solana"

/** Returns what answers call a chain. */
export const shownChain = (chain: NamedChain): ShownChain =>
  familyOf(chain).named === "key" ? "solana" : chain.id

/** Returns what stands for a chain in names of settings, as in `START_8453` and `START_SOLANA`. */
export const settingOf = (chain: NamedChain): string => String(shownChain(chain)).toUpperCase()

/** Returns the name of the setting with a chain's endpoints. */
export const rpcSettingOf = (chain: NamedChain): string => `RPC_${settingOf(chain)}`

/** Returns `updatedAt` of an answer as of a block: milliseconds, and seconds on Solana. */
export const updatedAt = ({
  chain,
  blockTime
}: {
  readonly chain: Pick<NamedChain, "family">
  readonly blockTime: number
}): number => blockTime * familyOf(chain).updatedAtPerSecond

/** Returns the Unix seconds of an `updatedAt` of a chain. */
export const secondsOf = (chain: Pick<NamedChain, "family">, told: number): number =>
  Math.floor(told / familyOf(chain).updatedAtPerSecond)
