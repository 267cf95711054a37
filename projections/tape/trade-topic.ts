/**
 * The parts of the live tape: a chain, a token, a pool or a wallet, of each all prints or those
 * from a dollar amount on. A frame's key names its part: `*`, `0x…`, `pool:0x…`, `wallet:0x…`, then
 * `>=1000` where only prints of so many dollars are meant.
 */

export const TRADE_SUBJECTS = ["chain", "token", "pool", "wallet"] as const

export interface TradeTopic {
  readonly of: (typeof TRADE_SUBJECTS)[number]
  /** `0x` text in lower case; empty of a chain */
  readonly id: string
  /** dollars; null for all prints */
  readonly minUsd: number | null
}

export const tradeKey = ({ of, id, minUsd }: TradeTopic): string => {
  const subject = of === "chain" ? "*" : of === "token" ? id : `${of}:${id}`
  return minUsd === null ? subject : `${subject}>=${minUsd}`
}

export const tradeTopicOf = (key: string): TradeTopic => {
  const [subject = "", least] = key.split(">=")
  const minUsd = least === undefined ? null : Number(least)
  if (subject === "*") return { of: "chain", id: "", minUsd }
  const [kind, id] = subject.split(":")
  if (kind === "pool" || kind === "wallet") return { of: kind, id: id ?? "", minUsd }
  return { of: "token", id: subject, minUsd }
}

/** What a frame names of its topic. */
export const tradeNames = ({ of, id, minUsd }: TradeTopic) => ({
  ...(of === "chain" ? {} : { [of]: id }),
  ...(minUsd === null ? {} : { minUsd })
})
