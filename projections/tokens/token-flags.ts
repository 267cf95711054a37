/** The flags of tokens as of now. */

import type { ChainConfig } from "../../src/domain/chain.ts"
import { idsOf } from "../../src/domain/ids.ts"
import { protectedSymbols } from "../../src/rules/impostor.ts"
import { rulesOf } from "../../src/rules/rule-sets.ts"
import type { Tokens } from "./output.ts"

export const tokenFlags = (chain: ChainConfig, { symbols, addressOf }: Tokens) => {
  const owners = protectedSymbols(chain)
  const isFlagged = rulesOf(chain).impostor !== null
  const { zero } = idsOf(chain)
  return {
    /** whether the token's symbol is an anchor's, which the token may be itself */
    isProtected: (token: number): boolean => owners.has(symbols.of(token)),
    /** whether the token bears an anchor's symbol and is another */
    isImpostor: (token: number): boolean => {
      const mine = isFlagged ? owners.get(symbols.of(token)) : undefined
      if (mine === undefined) return false
      const address = addressOf(token)
      return address !== zero && !mine.has(address)
    }
  }
}
