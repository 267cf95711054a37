/** Addresses that requests give, and those of the examples in the OpenAPI document. */
import type { ErrorCode } from "../errors.ts"
import { address } from "../parameters.ts"

/** The wrapped native token of Base, which its devchain has too. */
export const BASE_WETH = "0x4200000000000000000000000000000000000006"

/** The dollar of Base, likewise. */
export const BASE_USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"

/** The dollar of Arc, likewise; it is the chain's native unit too. */
export const ARC_USDC = "0x3600000000000000000000000000000000000000"

/** The wrapped native token of Solana, which its devchain has too. */
export const SOL = "So11111111111111111111111111111111111111112"

/** Nobody's. */
export const A_WALLET = "0x1212121212121212121212121212121212121212"

/** The address of a token. */
export const tokenAddress = (about: { readonly example: string; readonly code?: ErrorCode }) =>
  address({ description: "token; the zero address stands for the chain's native unit", ...about })
