/** What the board of tokens may be sorted by. */
export const boardSorts = ["volume", "trades", "traders", "change", "mcap"] as const
export type BoardSort = (typeof boardSorts)[number]
