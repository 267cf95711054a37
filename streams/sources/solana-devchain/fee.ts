/**
 * What a transaction pays: a base fee a signature, and its price of compute units times the limit
 * that it sets (the compute budget program: byte 2 and a u32, byte 3 and a u64 of millionths).
 */
import { fromBase58 } from "../../../src/domain/base58.ts"
import { u32At, u64At } from "../../solana/payload.ts"
import { COMPUTE_BUDGET } from "./addresses.ts"
import type { Message } from "./recorded.ts"

const LAMPORTS_A_SIGNATURE = 5000n
const MICRO = 1_000_000n
const DEFAULT_LIMIT = 200_000n
const MOST = 1_400_000n

export const feeOf = ({ json }: Pick<Message, "json">): number => {
  const signatures = BigInt(json.header.numRequiredSignatures) * LAMPORTS_A_SIGNATURE
  let [limit, price, others]: [bigint | null, bigint, bigint] = [null, 0n, 0n]
  for (const { programIdIndex, data } of json.instructions) {
    if (json.accountKeys[programIdIndex] !== COMPUTE_BUDGET) {
      others++
      continue
    }
    const bytes = fromBase58(data) ?? new Uint8Array()
    if (bytes[0] === 2) limit = BigInt(u32At(bytes, 1))
    if (bytes[0] === 3) price = u64At(bytes, 1)
  }
  const units = limit ?? others * DEFAULT_LIMIT
  const priority = (price * (units < MOST ? units : MOST) + MICRO - 1n) / MICRO
  return Number(signatures + priority)
}
