// @ts-check
/** Amounts of tokens between what people type and raw units. Pure; exact, and never rounded up. */

/** Digits that a raw amount may have: all are below 2^256. */
const RAW_DIGITS = 78
/** Digits that a shortened amount keeps behind its first one. */
const SHOWN_DIGITS = 8

/** @typedef {{ ok: true, raw: bigint } | { ok: false, problem: string }} ReadAmount */

/**
 * Reads an amount of whole tokens as typed: digits with a point, commas between thousands or not.
 *
 * @param {string} text
 * @param {number | null} decimals of the token; null where they are not known
 * @returns {ReadAmount} above zero, in raw units; else what is wrong, in words
 */
export const readAmount = (text, decimals) => {
  const plain = text.trim().replace(/,(?=\d{3}(\D|$))/g, "")
  const match = /^(\d*)(?:\.(\d*))?$/.exec(plain)
  const [, whole = "", fraction = ""] = match ?? []
  if (match === null || whole + fraction === "") {
    return { ok: false, problem: "Write the amount in digits, like 1.5." }
  }
  if (decimals === null) {
    const problem = "The decimals of this token are not known, so no amount of it can be read."
    return { ok: false, problem }
  }
  if (fraction.replace(/0+$/, "").length > decimals) {
    return { ok: false, problem: `This token has ${decimals} decimals, and no more.` }
  }
  const digits = `${whole}${fraction.slice(0, decimals).padEnd(decimals, "0")}`.replace(/^0+/, "")
  if (digits === "") return { ok: false, problem: "The amount must be above zero." }
  if (digits.length >= RAW_DIGITS) return { ok: false, problem: "No token has so many units." }
  return { ok: true, raw: BigInt(digits) }
}

/** @type {(raw: bigint, decimals: number) => readonly [whole: string, fraction: string]} */
const partsOf = (raw, decimals) => {
  const digits = String(raw).padStart(decimals + 1, "0")
  const at = digits.length - decimals
  return [digits.slice(0, at), digits.slice(at).replace(/0+$/, "")]
}

/** @type {(whole: string, fraction: string) => string} */
const joined = (whole, fraction) => (fraction === "" ? whole : `${whole}.${fraction}`)

/**
 * Whole tokens, every digit: what `readAmount` reads back as the same raw amount.
 *
 * @param {bigint} raw
 * @param {number} decimals
 */
export const amountText = (raw, decimals) => joined(...partsOf(raw, decimals))

/**
 * Whole tokens to be read by people: thousands apart, cut after some digits.
 *
 * @param {bigint} raw
 * @param {number | null} decimals where they are not known the raw units are told as such
 */
export const shortAmount = (raw, decimals) => {
  if (decimals === null) return `${raw} raw units`
  const [whole, fraction] = partsOf(raw, decimals)
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0
  const kept = Math.max(0, SHOWN_DIGITS - (whole === "0" ? 0 : whole.length))
  const shown = fraction.slice(0, zeros + kept).replace(/0+$/, "")
  return joined(whole.replace(/\B(?=(\d{3})+$)/g, ","), shown)
}

/**
 * What is left of a balance where gas is paid of it, too: its price may rise by a fourth.
 *
 * @type {(balance: bigint, gas: bigint, price: bigint) => bigint}
 */
export const withoutGas = (balance, gas, price) => {
  const left = balance - (gas * price * 5n) / 4n
  return left > 0n ? left : 0n
}
