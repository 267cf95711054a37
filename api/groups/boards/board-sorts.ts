/** What the board of tokens may be sorted by; `new` is by the first trade, the newest first. */
export const boardSorts = ["volume", "trades", "traders", "change", "mcap", "new"] as const
export type BoardSort = (typeof boardSorts)[number]
