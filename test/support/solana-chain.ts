/** Solana as tests have it: the venues that the simulated chain speaks, and three dollars and SOL. */
import { defineChain } from "../../src/domain/chains/define-chain.ts"
import { solanaVenues } from "../../streams/solana/venues.ts"

const WSOL = "So11111111111111111111111111111111111111112"
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

export const solanaChain = defineChain({
  id: 1399811149,
  family: "solana",
  key: "solana",
  name: "Solana",
  native: { symbol: "SOL", decimals: 9 },
  nativeToken: WSOL,
  anchors: [
    { address: USDC, symbol: "USDC", decimals: 6, kind: "usd" },
    { address: WSOL, symbol: "SOL", decimals: 9, kind: "native" }
  ],
  venues: solanaVenues.map(({ name, program }) => ({
    id: name.replaceAll("-", "_"),
    kind: name,
    factory: program
  })),
  routers: [],
  finalityDepth: 32,
  blockTimeMs: 400
})
