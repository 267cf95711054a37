/**
 * Unsigned fixed-point numbers of 18 decimals, rounded the way the Balancer contracts round
 * (balancer-v2-monorepo, `FixedPoint.sol`; balancer-v3-monorepo the same). No overflow checks:
 * callers bound what they give.
 */
import { divRoundingUp } from "../fixed-point.ts"

/** 1 in 18 decimals. */
export const ONE = 10n ** 18n

export const mulDown = (a: bigint, b: bigint): bigint => (a * b) / ONE

export const mulUp = (a: bigint, b: bigint): bigint => (a * b + ONE - 1n) / ONE

/** `b` above zero. */
export const divDown = (a: bigint, b: bigint): bigint => (a * ONE) / b

/** `b` above zero. */
export const divUp = (a: bigint, b: bigint): bigint => divRoundingUp(a * ONE, b)

/** 1 - x, zero where x is above 1. */
export const complement = (x: bigint): bigint => (x < ONE ? ONE - x : 0n)
