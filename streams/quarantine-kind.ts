/** What quarantined logs are counted by. */

/** How the reason begins of a swap that the balances of its vaults contradict; details follow. */
export const CONTRADICTED_SWAP = "vaults contradict the swap"

/**
 * Returns what a reason of `LogQuarantined` is counted by: all of it, but for reasons that name
 * accounts and amounts, of which no two are alike.
 */
export const quarantineKind = (reason: string): string =>
  reason.startsWith(CONTRADICTED_SWAP) ? CONTRADICTED_SWAP : reason
