/**
 * Impostors: tokens that bear the symbol of one of the chain's anchors under another address. Two
 * symbols are the same where people read them alike: letter case, width, blanks and marks do not
 * count, and letters of other alphabets count as the Latin ones they look like.
 */
import type { ChainConfig } from "../domain/chain.ts"

export const impostorRule = {
  version: 1,
  id: "impostor-symbol",
  text: "the symbol reads like that of one of the chain's anchors, the address is another"
} as const

/** Cyrillic and Greek capitals beside the Latin ones they look like (Unicode TR 39). */
const LOOKALIKES: { readonly [letter: string]: string } = {
  А: "A",
  В: "B",
  С: "C",
  Е: "E",
  Ѕ: "S",
  Н: "H",
  І: "I",
  Ј: "J",
  К: "K",
  М: "M",
  О: "O",
  Р: "P",
  Т: "T",
  Х: "X",
  У: "Y",
  Α: "A",
  Β: "B",
  Ε: "E",
  Ζ: "Z",
  Η: "H",
  Ι: "I",
  Κ: "K",
  Μ: "M",
  Ν: "N",
  Ο: "O",
  Ρ: "P",
  Τ: "T",
  Υ: "Y",
  Χ: "X",
  "₮": "T"
}

/** What most texts are of: of these letters only the case and blanks do not count. */
const PLAIN = /^[\x20-\x7e]*$/

/** A symbol as people read it; "" where nothing of it can be seen. */
export const readAs = (symbol: string): string =>
  PLAIN.test(symbol) ? symbol.toUpperCase().replaceAll(" ", "") : readLetters(symbol)

const readLetters = (symbol: string): string =>
  [...symbol.normalize("NFKD").toUpperCase()]
    .filter(letter => !/[\p{M}\p{Z}\p{C}]/u.test(letter))
    .map(letter => LOOKALIKES[letter] ?? letter)
    .join("")

/** Symbols that only the chain's anchors may bear, with the addresses that may. */
export const protectedSymbols = (chain: ChainConfig): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>()
  const add = (symbol: string, address: string | null): void => {
    const key = readAs(symbol)
    const addresses = found.get(key) ?? new Set<string>()
    if (address !== null) addresses.add(address)
    found.set(key, addresses)
  }
  for (const { symbol, address } of chain.anchors) add(symbol, address)
  add(chain.native.symbol, chain.nativeToken)
  return found
}

/** The anchors and the native unit that a symbol reads like; the unit alone has no address. */
export const protectedBy = (chain: ChainConfig, readsAs: string) => {
  const { anchors, native, nativeToken } = chain
  const all = [...anchors, { symbol: native.symbol, address: nativeToken, kind: "native" }]
  const alike = all.filter(({ symbol }) => readAs(symbol) === readsAs)
  const byAddress = new Map(alike.map(one => [one.address, one.symbol]))
  return [...byAddress].map(([address, symbol]) => ({ symbol, address }))
}
