/** Names of pools' parameters that folds read of every kind of venue. */

/**
 * A part of the reserve of the pool's token at `index` that prices the pool and is in no vault:
 * what `ReservesSynced` tells is without it. Told ahead of the reserves that it is added to.
 */
export const VIRTUAL_RESERVE = "virtualReserve"

/**
 * How far apart the bins of the pool are, in basis points: where no creation told it
 * (`tickSpacing`), the first swap from which it follows.
 */
export const BIN_STEP = "binStep"

/**
 * A curve's program put all that the curve held into the pool whose account is the number: the
 * program itself names it. Told ahead of the curve's reserves of 0.
 */
export const MIGRATED_TO = "migratedTo"
