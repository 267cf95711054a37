/** Raydium CPMM: constant product with Token-2022. */
import { addressAt, u64At } from "../payload.ts"
import type { PoolCall, PoolFacts, SolanaVenue, SwapCall, SwapFacts, Unread } from "../venue.ts"

const GROWN_BYTES = 170

/** The grown form names both mints, of which the program takes the lower one for the first. */
const firstIn = (payload: Uint8Array): boolean | null =>
  payload.length < GROWN_BYTES
    ? null
    : Buffer.compare(payload.subarray(89, 121), payload.subarray(121, 153)) < 0

/** Amounts of the vaults: after the transfer fee of what comes in, before that of what goes out. */
const readSwap = (payload: Uint8Array): SwapFacts => {
  const [amountIn, amountOut] = [u64At(payload, 56), u64At(payload, 64)]
  return {
    pool: addressAt(payload, 8),
    firstIn: firstIn(payload),
    amountIn,
    amountOut,
    after: {
      kind: "reserves",
      in: u64At(payload, 40) + amountIn,
      out: u64At(payload, 48) - amountOut
    }
  }
}

const [DEPOSIT, WITHDRAWAL] = [0, 1]

/** The transfer fee of a deposit is not in its amounts; that of a withdrawal leaves with them. */
const readLiquidity = (payload: Uint8Array): PoolFacts | Unread => {
  const type = payload[96]
  if (type !== DEPOSIT && type !== WITHDRAWAL) return "an event is of an unknown kind"
  const amount = (at: number): bigint =>
    type === DEPOSIT ? u64At(payload, at) : -(u64At(payload, at) + u64At(payload, at + 16))
  return {
    kind: "liquidity",
    pool: addressAt(payload, 8),
    owner: null,
    position: null,
    mints: [null, null],
    amounts: [amount(64), amount(72)],
    before: [u64At(payload, 48), u64At(payload, 56)]
  }
}

/** The fee stands in an account of the instruction, of which there is no more than the address. */
const creation = (name: string, pool: number): PoolCall => ({
  name,
  pool,
  mints: [pool + 1, pool + 2],
  // who creates it stands ahead of the three accounts before the pool
  owner: pool - 3,
  creates: data => ({
    ...{ fee: null, spacing: null },
    ...(data.length < 24 ? {} : { deposit: [u64At(data, 8), u64At(data, 16)] as const })
  })
})

const call = (name: string): SwapCall => ({
  name,
  user: 0,
  hops: [{ pool: 3, vaults: [6, 7], mints: [10, 11] }],
  inputFirst: true
})

export const raydiumCpmm: SolanaVenue = {
  number: 3,
  name: "raydium-cpmm",
  program: "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C",
  shape: "v2",
  reserves: "price",
  eventAuthority: null,
  tagBytes: 8,
  swapCalls: {
    "8fbe5adac41e33de": call("swap_base_input"),
    "37d96256a34ab4ad": call("swap_base_output")
  },
  swapEvents: {
    "40c6cde8260871e2": { name: "SwapEvent", least: 89, rank: 0, read: readSwap }
  },
  poolEvents: {
    "79a3cdc939da753c": { name: "LpChangeEvent", least: 97, read: readLiquidity }
  },
  poolCalls: {
    afaf6d1f0d989bed: creation("initialize", 3),
    "3f37fe4131b25979": creation("initialize_with_permission", 4),
    f223c68952e1f2b6: { name: "deposit", pool: 2, mints: [10, 11], owner: 0 },
    b712469c946da122: { name: "withdraw", pool: 2, mints: [10, 11], owner: 0 }
  }
}
