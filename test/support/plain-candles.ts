/** What a query of candles asks for that wants no more than a window of a token, in dollars. */
export const plainCandles = {
  pool: null,
  closed: false,
  quote: "usd",
  raw: false,
  fields: ""
} as const
