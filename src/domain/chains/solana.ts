/**
 * Solana, whose venues are programs. Their addresses are those of the venues' own repositories
 * (streams/solana/<venue>/README.md), the mints those of the issuers. Solana has no id: this one is
 * by which other indexers name its mainnet.
 */
import { defineChain } from "./define-chain.ts"

export const solana = defineChain({
  id: 1399811149,
  family: "solana",
  // `getGenesisHash` of the mainnet
  genesisHash: "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
  key: "solana",
  name: "Solana",
  native: { symbol: "SOL", decimals: 9 },
  explorer: "https://explorer.solana.com",
  nativeToken: "So11111111111111111111111111111111111111112",
  anchors: [
    {
      address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      symbol: "USDC",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB",
      symbol: "USDT",
      decimals: 6,
      kind: "usd"
    },
    {
      address: "So11111111111111111111111111111111111111112",
      symbol: "SOL",
      decimals: 9,
      kind: "native"
    }
  ],
  // in the order of their numbers
  venues: [
    {
      id: "raydium_amm_v4",
      kind: "raydium-amm-v4",
      factory: "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8",
      feeBps: 25
    },
    {
      id: "raydium_clmm",
      kind: "raydium-clmm",
      factory: "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK"
    },
    {
      id: "raydium_cpmm",
      kind: "raydium-cpmm",
      factory: "CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C"
    },
    {
      id: "raydium_launchlab",
      kind: "raydium-launchlab",
      factory: "LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj"
    },
    {
      id: "orca_whirlpool",
      kind: "orca-whirlpool",
      factory: "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc"
    },
    {
      id: "meteora_dlmm",
      kind: "meteora-dlmm",
      factory: "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo"
    },
    {
      id: "meteora_damm_v1",
      kind: "meteora-damm-v1",
      factory: "Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB"
    },
    {
      id: "meteora_damm_v2",
      kind: "meteora-damm-v2",
      factory: "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"
    },
    {
      id: "meteora_dbc",
      kind: "meteora-dbc",
      factory: "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
    },
    {
      id: "pumpfun",
      kind: "pumpfun",
      factory: "6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P"
    },
    {
      id: "pumpswap",
      kind: "pumpswap",
      factory: "pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA"
    }
  ],
  routers: [],
  finalityDepth: 32,
  blockTimeMs: 400
})
