/** Name, symbol and address of a token's page, as borsh has them one after the other. */
import { NAME_LIMIT, SYMBOL_LIMIT, shownText } from "../shown-text.ts"
import { textAt } from "./payload.ts"

/** What a token says of itself in words, without what cannot be shown. Null is what it does not. */
export interface TokenTexts {
  readonly name: string | null
  readonly symbol: string | null
  readonly uri: string | null
}

/** Length above which an address is cut; Metaplex takes 200 bytes. */
const URI_LIMIT = 256

/** Reads the three texts from `at` on; those that the data ends before are null. */
export const tokenTextsAt = (data: Uint8Array, at: number): TokenTexts => {
  const name = textAt(data, at)
  const symbol = name === null ? null : textAt(data, name.end)
  const uri = symbol === null ? null : textAt(data, symbol.end)
  return {
    name: shownText(name?.text ?? "", NAME_LIMIT),
    symbol: shownText(symbol?.text ?? "", SYMBOL_LIMIT),
    uri: shownText(uri?.text ?? "", URI_LIMIT)
  }
}
