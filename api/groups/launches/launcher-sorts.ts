/** What a list of launchers may be sorted by. */
export const launcherSorts = ["launches", "trading", "volume", "last"] as const
export type LauncherSort = (typeof launcherSorts)[number]
