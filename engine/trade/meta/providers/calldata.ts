/** What the calldata of allowed functions has in common. */
import type { DecodedCall, Hex } from "../protocol/provider.ts"

/** In the flags of routers of this lineage: sell less, and give less than the minimum for it. */
const PARTIAL_FILL = 1n

/** Whether the flags of a swap let the minimum be undercut. */
export const fillsPartly = (flags: bigint): boolean => (flags & PARTIAL_FILL) !== 0n

/** An address of decoded calldata, which viem gives with a checksum. */
export const lower = (address: string): Hex => address.toLowerCase() as Hex

export type Decoded = DecodedCall | null
