/** Names of pools' parameters that folds read of every kind of venue. */

/**
 * A part of the reserve of the pool's token at `index` that prices the pool and is in no vault:
 * what `ReservesSynced` tells is without it. Told ahead of the reserves that it is added to.
 */
export const VIRTUAL_RESERVE = "virtualReserve"
