/** What the readers of a live socket subscribe to, and what raw uWebSockets calls it. */

/** Candles and prices of one of the tokens, and trades of the chain or of that token. */
export interface Subscriptions {
  readonly chain: number
  readonly tokens: ReadonlyArray<string>
  readonly tradesOf: "chain" | "token"
}

export const CHANNELS_EACH = 3

export const messagesOf = (
  { chain, tradesOf }: Omit<Subscriptions, "tokens">,
  token: string
): ReadonlyArray<object> =>
  [
    { channel: "trades", ...(tradesOf === "token" ? { token } : {}) },
    { channel: "candles", token, tf: "1m" },
    { channel: "prices", token }
  ].map(topic => ({ op: "subscribe", chain, ...topic }))

/** The name of a topic on the server that knows none. */
export const rawTopic = (channel: string, token = "*"): string => `${channel}/${token}`

/** A frame as it came, to be sent by raw uWebSockets. */
export interface Recorded {
  readonly topic: string
  readonly body: string
}
