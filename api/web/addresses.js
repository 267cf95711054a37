// @ts-check
/** Accounts and pools as chains write them: hex in letters of any case, and base58 on Solana. */

const ACCOUNT = /^0x[0-9a-fA-F]{40}$/
const POOL = /^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const ACCOUNT_BYTES = 32
/** The account of zeros of either form. */
const ZEROS = /^(0x0{40}|1{32})$/
/** What has a page of its own at a block explorer: accounts, pools, transactions of either form. */
const EXPLORED = /^(0x[0-9a-f]{40,64}|[1-9A-HJ-NP-Za-km-z]{32,88})$/

/** @type {(chain: string) => boolean} by its key, which is its id in answers */
export const isSolana = chain => chain === "solana"

/** @type {(text: string) => boolean} an account of an EVM chain, in letters of any case */
export const isAddress = text => ACCOUNT.test(text)

/**
 * Whether a text is base58 of 32 bytes, of which those that are zero ahead are a digit 1 each.
 *
 * @type {(text: string) => boolean}
 */
const isBase58Account = text => {
  if (!BASE58.test(text)) return false
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  let value = 0n
  for (const digit of text) value = value * 58n + BigInt(DIGITS.indexOf(digit))
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
  return zeros + bytes === ACCOUNT_BYTES
}

/** @type {(value: string) => boolean} */
export const isExplored = value => EXPLORED.test(value)

/**
 * The case of base58 tells accounts apart: it is kept.
 *
 * @type {(chain: string, text: string, hex: RegExp) => string | null}
 */
const readAs = (chain, text, hex) => {
  if (isSolana(chain)) return isBase58Account(text) ? text : null
  return hex.test(text) ? text.toLowerCase() : null
}

/**
 * An account as answers write it.
 *
 * @type {(chain: string, text: string) => string | null} null where the text is none of the chain
 */
export const readAccount = (chain, text) => readAs(chain, text, ACCOUNT)

/**
 * The token that an account means, as answers have it: that of zeros stands for the native unit.
 *
 * @type {(chain: Pick<import("./types.d.ts").Chain, "nativeToken">, account: string) => string}
 */
export const tokenMeant = ({ nativeToken }, account) =>
  ZEROS.test(account) ? (nativeToken ?? account) : account

/** A pool, by its account or its id. @type {(chain: string, text: string) => string | null} */
export const readPool = (chain, text) => readAs(chain, text, POOL)

/** @type {(chain: string) => string} what an account is, for who typed something else */
export const accountWords = chain =>
  isSolana(chain) ? "base58 of 32 bytes" : "0x and 40 hex digits"
