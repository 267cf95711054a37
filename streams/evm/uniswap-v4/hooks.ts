/**
 * What a pool's hooks contract may do is written in the lowest 14 bits of its address
 * (Uniswap/v4-core 1.0, `Hooks`).
 */
import { MAX_UINT160 } from "../../../src/math/fixed-point.ts"

/** The fee of a pool's key that says: the hooks contract sets it, swap by swap if it likes. */
export const DYNAMIC_FEE = 0x800000

const hookPermission = {
  beforeSwap: 1n << 7n,
  afterSwap: 1n << 6n,
  beforeSwapReturnsDelta: 1n << 3n,
  afterSwapReturnsDelta: 1n << 2n
} as const

const TOUCHES_SWAPS = Object.values(hookPermission).reduce((all, bit) => all | bit)

/**
 * True where a swap runs by the pool's own rules alone: the hooks contract, the value of its
 * address, is not called when one begins or ends. One that is called may take a part, set the fee,
 * move liquidity or refuse.
 */
export const leavesSwapsAlone = (hooks: bigint): boolean =>
  hooks >= 0n && hooks <= MAX_UINT160 && (hooks & TOUCHES_SWAPS) === 0n
