/** PumpSwap: constant product of a base and a quote token; buy and sell are of the base. */
import { addressAt, i128At, textAt, u64At } from "../payload.ts"
import type { PoolEventLayout, SolanaVenue, SwapCall, SwapFacts, VirtualPart } from "../venue.ts"

const UNPROVEN = "cashback and buyback are not proven"

/** Cashback and buyback, each a rate and an amount, come before the virtual quote reserves. */
const FEES_BYTES = 32
const VIRTUAL_BYTES = 16

/**
 * Quote tokens that the pool trades as if it held them: no vault has them, reserves ahead of the
 * swap are without them. Null in forms that end before, whose pools had none.
 */
const virtualAt = (payload: Uint8Array, tail: number, firstIn: boolean): VirtualPart | null => {
  const at = tail + FEES_BYTES
  if (payload.length < at + VIRTUAL_BYTES) return null
  const quote = i128At(payload, at)
  return firstIn ? { in: 0n, out: quote } : { in: quote, out: 0n }
}

/** @param tail where cashback and buyback stand, null in forms without them */
const facts = (
  payload: Uint8Array,
  firstIn: boolean,
  [base, quote]: readonly [bigint, bigint],
  tail: number | null
): SwapFacts => {
  const virtual = tail === null ? null : virtualAt(payload, tail, firstIn)
  const [baseBefore, quoteBefore] = [u64At(payload, 48), u64At(payload, 56)]
  const [amountIn, amountOut] = firstIn ? [base, quote] : [quote, base]
  const [inBefore, outBefore] = firstIn ? [baseBefore, quoteBefore] : [quoteBefore, baseBefore]
  return {
    pool: addressAt(payload, 120),
    firstIn,
    amountIn,
    amountOut,
    after: {
      kind: "reserves",
      in: inBefore + amountIn + (virtual?.in ?? 0n),
      out: outBefore - amountOut + (virtual?.out ?? 0n),
      ...(virtual === null ? {} : { virtual })
    },
    ...(tail === null ? {} : { caveat: UNPROVEN })
  }
}

/** The fee of liquidity providers stays in the quote vault, others are paid beside it. */
const readBuy = (payload: Uint8Array): SwapFacts => {
  const name = textAt(payload, 401)
  const hasTail = name !== null && payload.length > name.end
  const amounts = [u64At(payload, 16), u64At(payload, 104)] as const
  return facts(payload, false, amounts, hasTail ? name.end : null)
}

const SELL_BYTES = 360

/** The other fees are paid of the quote vault. */
const readSell = (payload: Uint8Array): SwapFacts => {
  const hasTail = payload.length > SELL_BYTES
  const amounts = [u64At(payload, 16), u64At(payload, 104)] as const
  return facts(payload, true, amounts, hasTail ? SELL_BYTES : null)
}

const readLiquidity =
  (sign: 1n | -1n): PoolEventLayout["read"] =>
  payload => ({
    kind: "liquidity",
    pool: addressAt(payload, 96),
    owner: addressAt(payload, 128),
    position: null,
    mints: [null, null],
    amounts: [sign * u64At(payload, 72), sign * u64At(payload, 80)],
    before: [u64At(payload, 56), u64At(payload, 64)]
  })

const poolEvents: { readonly [tag: string]: PoolEventLayout } = {
  b1310cd2a076a774: {
    name: "CreatePoolEvent",
    least: 205,
    read: payload => ({
      kind: "created",
      pool: addressAt(payload, 173),
      mints: [addressAt(payload, 50), addressAt(payload, 82)],
      fee: null,
      spacing: null,
      deposit: {
        owner: addressAt(payload, 18),
        amounts: [u64At(payload, 116), u64At(payload, 124)]
      }
    })
  },
  "78f83d531f8e6b90": { name: "DepositEvent", least: 160, read: readLiquidity(1n) },
  "1609851aa02c47c0": { name: "WithdrawEvent", least: 160, read: readLiquidity(-1n) }
}

const call = (name: string): SwapCall => ({
  name,
  user: 1,
  hops: [{ pool: 0, vaults: [7, 8], mints: [3, 4] }]
})

export const pumpswap: SolanaVenue = {
  number: 11,
  name: "pumpswap",
  program: "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA",
  shape: "v2",
  reserves: "price",
  eventAuthority: "GS4CU59F31iL7aR2Q8zVS8DRrcRnXX1yjQ66TqNVQnaR",
  tagBytes: 8,
  swapCalls: {
    "66063d1201daebea": call("buy"),
    c62e1552b4d9e870: call("buy_exact_quote_in"),
    "33e685a4017f83ad": call("sell")
  },
  swapEvents: {
    "67f4521f2cf57777": { name: "BuyEvent", least: 312, rank: 0, read: readBuy },
    "3e2f370aa503dc2a": { name: "SellEvent", least: 312, rank: 0, read: readSell }
  },
  poolEvents,
  poolCalls: {
    f223c68952e1f2b6: { name: "deposit", pool: 0, mints: [3, 4] },
    b712469c946da122: { name: "withdraw", pool: 0, mints: [3, 4] }
  }
}
