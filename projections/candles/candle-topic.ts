/**
 * The parts of the live candles: a token's time frame, or that of a pool and the token of it that
 * is priced. A frame's key names its part: `0x…:5m`, `pool:0x…::5m`, `pool:0x…:0x…:5m`.
 */

export interface CandleTopic {
  readonly tf: string
  /** the token; of a pool the one that it prices, null for the first that it does */
  readonly token: string | null
  /** address or id */
  readonly pool: string | null
}

export const candleKey = ({ tf, token, pool }: CandleTopic): string =>
  pool === null ? `${token}:${tf}` : `pool:${pool}:${token ?? ""}:${tf}`

export const candleTopicOf = (key: string): CandleTopic => {
  const [first = "", second = "", third = "", fourth = ""] = key.split(":")
  return first === "pool"
    ? { tf: fourth, token: third === "" ? null : third, pool: second }
    : { tf: second, token: first, pool: null }
}

/** What a frame names of its topic. */
export const candleNames = ({ tf, token, pool }: CandleTopic) => ({
  ...(token === null ? {} : { token }),
  ...(pool === null ? {} : { pool }),
  tf
})
