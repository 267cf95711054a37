/** The chains swaptape knows; a user's file may add to them (`chain-file.ts`). */
import type { ChainConfig } from "../chain.ts"
import { arbitrum } from "./arbitrum.ts"
import { arc } from "./arc.ts"
import { avalanche } from "./avalanche.ts"
import { base } from "./base.ts"
import { bnb } from "./bnb.ts"
import { ethereum } from "./ethereum.ts"
import { monad } from "./monad.ts"
import { rh } from "./rh.ts"
import { solana } from "./solana.ts"

export const allChains: ReadonlyArray<ChainConfig> = [
  arc,
  rh,
  monad,
  avalanche,
  base,
  bnb,
  arbitrum,
  ethereum,
  solana
]
