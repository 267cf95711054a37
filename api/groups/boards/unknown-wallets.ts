/** What is said where the log tells trades, and of none of them whose they were. */
import { type FoldsView, once } from "../../../engine/query.ts"
import { windowOf } from "./window-of.ts"

const NO_WALLETS =
  "the log tells no sender of any trade of the last 24 hours: counts of wallets are not known"

/** A count of the distinct known wallets of trades; null where none of these names its sender. */
export const knownWallets = (trades: number, wallets: number): number | null =>
  trades > 0 && wallets === 0 ? null : wallets

/** Warns of windows of a token that name no sender: their counts are numbers by contract. */
export const windowWarnings = (windows: {
  readonly [name: string]: { readonly txns: number; readonly makers: number }
}): { readonly warnings?: ReadonlyArray<string> } => {
  const silent = Object.entries(windows)
    .filter(([, { txns, makers }]) => knownWallets(txns, makers) === null)
    .map(([name]) => name)
  if (silent.length === 0) return {}
  if (silent.includes("h24")) return { warnings: [NO_WALLETS] }
  const names = silent.join(", ")
  return {
    warnings: [`the log tells no sender of any trade of ${names}: its wallets are not known`]
  }
}

/** Whether no trade of the last 24 hours tells whose it was. */
const isUnknown = once(view => {
  const { trades, known } = windowOf(view).ofTokens.columns
  return trades.some(count => count > 0) && known.every(count => count === 0)
})

/** That, where it holds of all trades of the last 24 hours. */
export const walletWarnings = (view: FoldsView): { readonly warnings?: ReadonlyArray<string> } =>
  isUnknown(view) ? { warnings: [NO_WALLETS] } : {}
