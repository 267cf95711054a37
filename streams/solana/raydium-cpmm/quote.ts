/** What Raydium CPMM pays, by its reserves without fees that are owed, with no creator's fee. */

const FEE_UNIT = 1_000_000n
const BASIS_POINTS = 10_000n

/** A transfer fee of a Token-2022 mint. */
export interface TransferFee {
  readonly basisPoints: bigint
  readonly most: bigint
}

const ceilDivide = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

const skimmed = (amount: bigint, fee: TransferFee | null): bigint => {
  if (fee === null) return amount
  const share = ceilDivide(amount * fee.basisPoints, BASIS_POINTS)
  if (share >= fee.most) return amount - fee.most
  return amount - share
}

export interface CpmmPool {
  readonly in: bigint
  readonly out: bigint
  /** millionths of what comes in */
  readonly feeRate: bigint
  readonly feeOfInput: TransferFee | null
  readonly feeOfOutput: TransferFee | null
}

/** Returns what the receiver gets for what is sent. */
export const cpmmOutput = (pool: CpmmPool, sent: bigint): bigint => {
  const amountIn = skimmed(sent, pool.feeOfInput)
  const net = amountIn - ceilDivide(amountIn * pool.feeRate, FEE_UNIT)
  return skimmed((pool.out * net) / (pool.in + net), pool.feeOfOutput)
}
