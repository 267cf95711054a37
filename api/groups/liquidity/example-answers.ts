/** Examples of answers about liquidity, for the OpenAPI document. */
import { SOL } from "../token-parameter.ts"

const DOLLAR = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
const POOL = "Q2sPHPdUWFMg7M7wwrQKLrn619cAucfRsmhVJffodSp"
const WALLET = "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM"
const [FIRST, LAST] = [1_789_990_000, 1_789_999_000]

const pool = {
  pool: POOL,
  dex: "raydium_cpmm",
  token0: { address: SOL, symbol: "SOL" },
  token1: { address: DOLLAR, symbol: "USDC" }
}
const lane = { unknown: [], updatedAt: 1_789_999_321 }
const chain = "solana" as const
const noTicks = { tickLower: null, tickUpper: null, liquidity: null }
const sums = {
  ...{ pools: 1, addedUsd: 300, removedUsd: 0, collectedUsd: 0, positions: 1 },
  ...{ adds: 1, removes: 0, collects: 0, unpriced: 0, firstTs: FIRST, lastTs: FIRST }
}

export const POOLS = {
  ...{ chain, offset: 0, asOf: 1234, total: 1, since: 1_789_912_800 },
  pools: [
    {
      ...pool,
      reserves: { amount0: 1000, amount1: 150_000 },
      ...{ depthUsd: 150_000, volumeUsd24h: 4000, sinceCreation: false },
      ...{ adds24h: 1, removes24h: 0, addedUsd24h: 300, removedUsd24h: 0, unpriced24h: 0 }
    }
  ],
  ...lane
}

export const EVENTS = {
  chain,
  events: [
    {
      tx: "5".repeat(88),
      ...{ logIndex: 7, block: 370_000_000, ts: LAST, change: "add" as const, ...pool },
      ...{ owner: WALLET, ...noTicks, amount0: 1, amount1: 150, usd: 300 }
    }
  ],
  nextBefore: null,
  ...lane
}

export const POSITIONS = {
  ...{ chain, offset: 0, total: 1 },
  positions: [
    {
      ...{ ...pool, owner: WALLET, position: null, ...noTicks, adds: 1, removes: 0, collects: 0 },
      ...{ added0: 1, added1: 150, removed0: 0, removed1: 0, collected0: 0, collected1: 0 },
      ...{ addedUsd: 300, removedUsd: 0, collectedUsd: 0, unpriced: 0, untold: 0 },
      ...{ sinceCreation: false, firstTs: FIRST, lastTs: FIRST }
    }
  ],
  ...{ forgets: false, asOf: 1234, ...lane }
}

export const WALLETS = {
  ...{ chain, offset: 0, total: 1, wallets: [{ wallet: WALLET, ...sums }] },
  unowned: { ...sums, pools: 0, addedUsd: 0, positions: 0, adds: 0, firstTs: null, lastTs: null },
  ...{ forgets: false, asOf: 1234, ...lane }
}
