/** Raydium LaunchLab: bonding curves; a base token against a quote token. */
import { addressAt, u64At } from "../payload.ts"
import type { PoolCall, PoolFacts, SolanaVenue, SwapCall, SwapFacts } from "../venue.ts"

/** The form with a creator's fee has it inserted before the share fee. */
const GROWN_BYTES = 147

/** What of a trade leaves the quote vault at once: in the grown form alone. */
const feesPaidOut = (payload: Uint8Array): bigint =>
  payload.length >= GROWN_BYTES ? u64At(payload, 120) + u64At(payload, 128) : 0n

const readSwap = (payload: Uint8Array): SwapFacts => {
  const isGrown = payload.length >= GROWN_BYTES
  const isSell = payload[isGrown ? 144 : 136] === 1
  const [amountIn, amountOut] = [u64At(payload, 96), u64At(payload, 104)]
  const paid = feesPaidOut(payload)
  const shared = u64At(payload, isGrown ? 136 : 128)
  // "base" counts what is sold so far, of all that is for sale
  const [baseVirtual, quoteVirtual] = [u64At(payload, 48) - u64At(payload, 40), u64At(payload, 56)]
  const base = u64At(payload, 48) - u64At(payload, 80)
  const quote = quoteVirtual + u64At(payload, 88)
  // no landed transaction has shown where fees of such trades go
  const isUnproven = shared > 0n || (isSell ? !isGrown : paid > 0n)
  return {
    pool: addressAt(payload, 8),
    firstIn: isSell,
    amountIn: isSell ? amountIn : amountIn - paid,
    amountOut: isSell ? amountOut + paid : amountOut,
    after: {
      kind: "reserves",
      ...(isSell
        ? { in: base, out: quote, virtual: { in: baseVirtual, out: quoteVirtual } }
        : { in: quote, out: base, virtual: { in: quoteVirtual, out: baseVirtual } })
    },
    ...(isUnproven ? { caveat: "fees of this form are not proven" } : {})
  }
}

const MIGRATE = 1

/** Once everything is sold the pool waits for its migration, which the last trade says. */
const readCompleted = (payload: Uint8Array): PoolFacts | null =>
  payload[payload.length >= GROWN_BYTES ? 145 : 137] === MIGRATE
    ? { kind: "graduated", pool: addressAt(payload, 8), mint: null, to: null }
    : null

const creation = (name: string): PoolCall => ({
  name,
  pool: 5,
  mints: [6, 7],
  creates: () => ({ fee: null, spacing: null })
})

/** Trades stand here for the mints, which the last one's event does not name. */
const traded = (name: string): PoolCall => ({ name, pool: 4, mints: [9, 10] })

const call = (name: string): SwapCall => ({
  name,
  user: 0,
  hops: [{ pool: 4, vaults: [7, 8], mints: [9, 10] }]
})

export const raydiumLaunchlab: SolanaVenue = {
  number: 4,
  name: "raydium-launchlab",
  program: "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj",
  shape: "v2",
  reserves: "price",
  launches: true,
  eventAuthority: "2DPAtwB8L12vrMRExbLuyGnC7n2J5LNoZQSejeQGpwkr",
  tagBytes: 8,
  swapCalls: {
    faea0d7bd59c13ec: call("buy_exact_in"),
    "18d3742869039938": call("buy_exact_out"),
    "9527de9bd37c981a": call("sell_exact_in"),
    "5fc8472208090ba6": call("sell_exact_out")
  },
  swapEvents: {
    bddb7fd34ee661ee: { name: "TradeEvent", least: 138, rank: 0, read: readSwap }
  },
  poolEvents: {
    "97d7e20976a173ae": {
      name: "PoolCreateEvent",
      least: 40,
      read: payload => ({
        kind: "created",
        pool: addressAt(payload, 8),
        mints: [null, null],
        fee: null,
        spacing: null
      })
    },
    bddb7fd34ee661ee: { name: "TradeEvent", least: 138, read: readCompleted }
  },
  poolCalls: {
    afaf6d1f0d989bed: creation("initialize"),
    "4399af27da102620": creation("initialize_v2"),
    "25be7ede2c9aab11": creation("initialize_with_token_2022"),
    faea0d7bd59c13ec: traded("buy_exact_in"),
    "18d3742869039938": traded("buy_exact_out"),
    "9527de9bd37c981a": traded("sell_exact_in"),
    "5fc8472208090ba6": traded("sell_exact_out"),
    cf52c091fecf91df: { name: "migrate_to_amm", pool: 23, mints: [1, 2], graduatesTo: 13 },
    "885cc8671cda908c": { name: "migrate_to_cpswap", pool: 17, mints: [1, 2], graduatesTo: 5 }
  }
}
