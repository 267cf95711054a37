/** Pump.fun's bonding curves: a token against lamports of the curve's own account. */
import { NATIVE_MINT } from "../moves.ts"
import { addressAt, textAt, u32At, u64At } from "../payload.ts"
import type { PoolFacts, SolanaVenue, SwapCall, SwapFacts, Unread } from "../venue.ts"

const SOL = "11111111111111111111111111111111"

/** The quote of newer curves that are paid in a token. */
interface Quote {
  readonly amount: bigint
  readonly reserve: bigint
  /** the part of the reserve that the curve holds */
  readonly held: bigint
}

/** Bytes of one shareholder in the tail, and of what stands between name and shareholders. */
const HOLDER_BYTES = 34
const FEE_BYTES = 33

/** The tail behind the name of the instruction, of which only the quote is read. */
const tokenQuote = (payload: Uint8Array): Quote | null => {
  const name = textAt(payload, 258)
  if (name === null || name.end + FEE_BYTES + 4 > payload.length) return null
  const holders = name.end + FEE_BYTES
  const at = holders + 4 + u32At(payload, holders) * HOLDER_BYTES
  if (at + 56 > payload.length || addressAt(payload, at) === SOL) return null
  const [amount, reserve] = [u64At(payload, at + 32), u64At(payload, at + 40)]
  return { amount, reserve, held: u64At(payload, at + 48) }
}

/** The curve's own lamports and tokens for sale are told from the second form on. */
const HELD_BYTES = 129

/** What curves began with in the time of the first form, and the product of both. */
const FIRST = {
  lamports: 30_000_000_000n,
  tokens: 1_073_000_000_000_000n,
  unsold: 279_900_000_000_000n
}
const FIRST_PRODUCT = FIRST.lamports * FIRST.tokens
/** Trades round in the curve's favour: the product of a busy one has grown by so much at most. */
const GROWN_PARTS = 1_000_000n

/**
 * The virtual parts of lamports and of tokens, tokens that are kept for the pool after the curve
 * among them; null where the event does not tell them, and its reserves are not of the curves that
 * there were then.
 */
const virtualParts = (payload: Uint8Array): readonly [bigint, bigint] | null => {
  const [lamports, tokens] = [u64At(payload, 97), u64At(payload, 105)]
  if (payload.length >= HELD_BYTES) {
    return [lamports - u64At(payload, 113), tokens - u64At(payload, 121)]
  }
  const grown = lamports * tokens - FIRST_PRODUCT
  const isFirst = grown >= 0n && grown <= FIRST_PRODUCT / GROWN_PARTS
  return isFirst ? [FIRST.lamports, FIRST.unsold] : null
}

/** Amounts of the curve itself: before fees of a sell, without fees of a buy. */
const readSwap = (payload: Uint8Array): SwapFacts => {
  const isBuy = payload[56] === 1
  const quote = payload.length > 258 ? tokenQuote(payload) : null
  const paid = quote?.amount ?? u64At(payload, 40)
  const tokens = u64At(payload, 48)
  const [paidReserve, tokenReserve] = [quote?.reserve ?? u64At(payload, 97), u64At(payload, 105)]
  const parts = virtualParts(payload)
  const paidVirtual = quote === null ? parts?.[0] : quote.reserve - quote.held
  const [into, from] = isBuy ? [paidVirtual, parts?.[1]] : [parts?.[1], paidVirtual]
  return {
    pool: null,
    firstIn: !isBuy,
    amountIn: isBuy ? paid : tokens,
    amountOut: isBuy ? tokens : paid,
    after:
      into === undefined || from === undefined
        ? null
        : {
            kind: "reserves",
            in: isBuy ? paidReserve : tokenReserve,
            out: isBuy ? tokenReserve : paidReserve,
            virtual: { in: into, out: from }
          },
    ...(quote === null ? {} : { paysToken: true, caveat: "curves paid in a token are not proven" })
  }
}

const SHORT = "an event is shorter than its layout"

/** Where newer events name what the curve is paid in, behind the texts; older curves know SOL. */
const QUOTE_AT = 202

/** Name, symbol and page of the token, then its mint and the curve. */
const readCreated = (payload: Uint8Array): PoolFacts | Unread => {
  let at = 8
  for (let texts = 0; texts < 3; texts++) {
    const one = textAt(payload, at)
    if (one === null) return SHORT
    at = one.end
  }
  if (at + 64 > payload.length) return SHORT
  const isQuoteTold = at + QUOTE_AT + 32 <= payload.length
  const quote = isQuoteTold ? addressAt(payload, at + QUOTE_AT) : SOL
  const mints = [addressAt(payload, at), quote === SOL ? NATIVE_MINT : quote] as const
  return { kind: "created", pool: addressAt(payload, at + 32), mints, fee: null, spacing: null }
}

const readGraduated = (payload: Uint8Array, curveAt: number, poolAt: number | null): PoolFacts => ({
  kind: "graduated",
  pool: addressAt(payload, curveAt),
  mint: addressAt(payload, 40),
  to: poolAt === null ? null : addressAt(payload, poolAt)
})

const call = (name: string): SwapCall => ({
  name,
  user: 6,
  hops: [{ pool: 3, vaults: [4, 3], lamports: 3 }]
})

const callOfAnyQuote = (name: string): SwapCall => ({
  name,
  user: 13,
  hops: [{ pool: 10, vaults: [11, 12], mints: [1, 2], lamports: 10 }]
})

export const pumpfun: SolanaVenue = {
  number: 10,
  name: "pumpfun",
  program: "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P",
  shape: "v2",
  reserves: "price",
  launches: true,
  eventAuthority: "Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1",
  tagBytes: 8,
  swapCalls: {
    "66063d1201daebea": call("buy"),
    "33e685a4017f83ad": call("sell"),
    "38fc74089edfcd5f": call("buy_exact_sol_in"),
    b817ee6167c5d33d: callOfAnyQuote("buy_v2"),
    c2ab1c46684d5b2f: callOfAnyQuote("buy_exact_quote_in_v2"),
    "5df6823ce7e940b2": callOfAnyQuote("sell_v2")
  },
  swapEvents: {
    bddb7fd34ee661ee: { name: "TradeEvent", least: 113, rank: 0, read: readSwap }
  },
  poolEvents: {
    "1b72a94ddeeb6376": { name: "CreateEvent", least: 84, read: readCreated },
    "5f72619cd42e9808": {
      name: "CompleteEvent",
      least: 104,
      read: payload => readGraduated(payload, 72, null)
    },
    bde95db95c94ea94: {
      name: "CompletePumpAmmMigrationEvent",
      least: 168,
      read: payload => readGraduated(payload, 96, 136)
    }
  },
  poolCalls: {}
}
