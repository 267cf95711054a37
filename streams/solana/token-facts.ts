/** What a token says of itself, in its mint's account and that of its texts. */
import type { TokenFact } from "../facts.ts"
import type { Account } from "./account.ts"
import { metaplexAccountOf, readMetaplex } from "./metaplex-account.ts"
import { type Mint, readMint } from "./mint-account.ts"
import type { TokenTexts } from "./token-texts.ts"

/**
 * The texts where the mint says that they are: in itself, or at Metaplex, where they are of mints
 * that say nothing of it too. Of mints that name a third account they are unknown.
 */
const textsOf = (mint: string, said: Mint, metaplex: Account | null): TokenTexts | null => {
  const { textsIn, texts } = said
  if (textsIn === null || textsIn === mint) {
    if (texts !== null && (texts.name ?? texts.symbol) !== null) return texts
  } else if (textsIn !== metaplexAccountOf(mint)) return null
  return metaplex === null ? null : readMetaplex(mint, metaplex)
}

/** The fact of a mint; what cannot be read of the accounts is null, all of it where no mint is. */
export const tokenFact = (
  mint: string,
  account: Account | null,
  metaplex: Account | null
): TokenFact => {
  const said = account === null ? null : readMint(mint, account)
  const texts = said === null ? null : textsOf(mint, said, metaplex)
  return {
    token: mint,
    symbol: texts?.symbol ?? null,
    name: texts?.name ?? null,
    decimals: said?.decimals ?? null,
    totalSupply: said?.supply ?? null,
    source: "call"
  }
}
