/** Meteora DLMM: bins of a constant price each. */
import { binStepOf } from "../../../src/math/bins/bin-step.ts"
import { addressAt, i32At, u16At, u64At, u128At } from "../payload.ts"
import type { PoolCall, PoolEventLayout, SolanaVenue, SwapCall, SwapFacts } from "../venue.ts"

/** Where an event has what both of them tell. */
interface Places {
  readonly direction: number
  readonly amountIn: number
  readonly amountOut: number
  readonly hostFee: number
  /** null where parts of the fee are told, of which none has proven what they sum up to */
  readonly fee: number | null
}

const SWAP: Places = { direction: 96, amountIn: 80, amountOut: 88, hostFee: 129, fee: 97 }
const SWAP_2: Places = { direction: 80, amountIn: 97, amountOut: 113, hostFee: 145, fee: null }

const BILLION = 1e9

/**
 * The bin step by what was traded without the fee. Of which side that was taken follows from its
 * rate in billionths behind it, since pools take it of what comes in or, by their mode, of what
 * goes out.
 */
const stepOf = (payload: Uint8Array, { amountIn, amountOut, fee, direction }: Places) => {
  if (fee === null) return null
  const [paid, got, taken] = [amountIn, amountOut, fee].map(at => Number(u64At(payload, at))) as [
    number,
    number,
    number
  ]
  const rate = Number(u128At(payload, fee + 16)) / BILLION
  const isOfInput = Math.abs(taken / paid - rate) <= Math.abs(taken / (got + taken) - rate)
  const [into, from] = isOfInput ? [paid - taken, got] : [paid, got + taken]
  const [x, y] = payload[direction] === 1 ? [into, from] : [from, into]
  return binStepOf({ start: i32At(payload, 72), end: i32At(payload, 76), x, y })
}

const reader =
  (at: Places, caveat: string | null) =>
  (payload: Uint8Array): SwapFacts => {
    const unproven = u64At(payload, at.hostFee) > 0n ? "host fees are not proven" : caveat
    return {
      pool: addressAt(payload, 8),
      firstIn: payload[at.direction] === 1,
      amountIn: u64At(payload, at.amountIn),
      amountOut: u64At(payload, at.amountOut),
      after: { kind: "bin", bin: i32At(payload, 76), step: stepOf(payload, at) },
      ...(unproven === null ? {} : { caveat: unproven })
    }
  }

const readLiquidity =
  (sign: 1n | -1n): PoolEventLayout["read"] =>
  payload => ({
    kind: "liquidity",
    pool: addressAt(payload, 8),
    owner: addressAt(payload, 40),
    position: addressAt(payload, 72),
    mints: [null, null],
    amounts: [sign * u64At(payload, 104), sign * u64At(payload, 112)]
  })

/** The newer one tells the active bin besides. */
const feesClaimed = (name: string, rank: number): PoolEventLayout => ({
  name,
  least: 120,
  rank,
  read: payload => ({
    kind: "fees",
    pool: addressAt(payload, 8),
    owner: addressAt(payload, 72),
    position: addressAt(payload, 40),
    mints: [null, null],
    amounts: [u64At(payload, 104), u64At(payload, 112)]
  })
})

const poolEvents: { readonly [tag: string]: PoolEventLayout } = {
  b94afc7d1bd7bc6f: {
    name: "LbPairCreate",
    least: 106,
    read: payload => ({
      kind: "created",
      pool: addressAt(payload, 8),
      mints: [addressAt(payload, 42), addressAt(payload, 74)],
      fee: null,
      spacing: u16At(payload, 40)
    })
  },
  e8abf2613a4d232d: feesClaimed("ClaimFee2", 0),
  "4b7a9a308c4a7ba3": feesClaimed("ClaimFee", 1),
  // should a rebalancing tell its parts as well, the whole is believed
  "1f5e7d5ae3343dba": { name: "AddLiquidity", least: 120, rank: 1, read: readLiquidity(1n) },
  "74f461e8671f983a": { name: "RemoveLiquidity", least: 120, rank: 1, read: readLiquidity(-1n) },
  "006d75b33d5bc7c8": {
    name: "Rebalancing",
    least: 140,
    read: payload => ({
      kind: "liquidity",
      pool: addressAt(payload, 8),
      owner: addressAt(payload, 72),
      position: addressAt(payload, 40),
      mints: [null, null],
      amounts: [
        u64At(payload, 116) - u64At(payload, 108),
        u64At(payload, 132) - u64At(payload, 124)
      ],
      ...(payload.length < 156 ? {} : { fees: [u64At(payload, 140), u64At(payload, 148)] as const })
    })
  }
}

const changed = (name: string): PoolCall => ({ name, pool: 1, mints: [7, 8] })

/** Those of one side list one mint, which is that of what the event says came in. */
const ofOneSide = (name: string): PoolCall => ({ name, pool: 1, mint: 5 })

const poolCalls: { readonly [tag: string]: PoolCall } = {
  b59d59438fb63448: changed("add_liquidity"),
  e4a24e1c46db7473: changed("add_liquidity2"),
  "0703967f94283dc8": changed("add_liquidity_by_strategy"),
  "03dd95da6f8d76d5": changed("add_liquidity_by_strategy2"),
  "1c8cee63e7a21595": changed("add_liquidity_by_weight"),
  d13b3f5b6fc899e4: changed("add_liquidity_by_weight2"),
  "5c04b0c177b95309": changed("rebalance_liquidity"),
  "0a333d2370691855": changed("remove_all_liquidity"),
  "5055d14818ceb16c": changed("remove_liquidity"),
  e6d7527ff165e392: changed("remove_liquidity2"),
  "1a526698f04a691a": changed("remove_liquidity_by_range"),
  cc02c391359191cd: changed("remove_liquidity_by_range2"),
  "5e9b6797465fdca5": ofOneSide("add_liquidity_one_side"),
  "2905eeaf64e106cd": ofOneSide("add_liquidity_by_strategy_one_side"),
  a1c26754ab47fa9a: ofOneSide("add_liquidity_one_side_precise"),
  "2133a3c975627de7": ofOneSide("add_liquidity_one_side_precise2"),
  a9204f8988e84689: { name: "claim_fee", pool: 0, mints: [9, 10] },
  "70bf65ab1c907fbb": { name: "claim_fee2", pool: 0, mints: [7, 8] }
}

const call = (name: string): SwapCall => ({
  name,
  user: 10,
  hops: [{ pool: 0, vaults: [2, 3], mints: [6, 7] }]
})

export const meteoraDlmm: SolanaVenue = {
  number: 6,
  name: "meteora-dlmm",
  program: "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo",
  shape: "bins",
  reserves: "depth",
  eventAuthority: "D1ZN9Wj1fRSUQfCjhvnu1hqDMT7hzjzBBpi12nVniYD6",
  tagBytes: 8,
  swapCalls: {
    f8c69e91e17587c8: call("swap"),
    "414b3f4ceb5b5b88": call("swap2"),
    fa49652126cf4bb8: call("swap_exact_out"),
    "2bd7f784893cf351": call("swap_exact_out2"),
    "38ade6d0ade49ccd": call("swap_with_price_impact"),
    "4a62c0d6b1334b33": call("swap_with_price_impact2")
  },
  swapEvents: {
    // both are told of one swap; the older one is proven against vaults, so it is believed
    "516ce3becdd00ac4": { name: "Swap", least: 137, rank: 0, read: reader(SWAP, null) },
    "2e7452d7941b544d": {
      name: "Swap2Evt",
      least: 155,
      rank: 1,
      read: reader(SWAP_2, "Swap2Evt alone is not proven")
    }
  },
  poolEvents,
  poolCalls
}
