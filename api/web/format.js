// @ts-check
/** Numbers, times and labels as the page writes them. Pure; times are shown in UTC. */

/** Shown where a value is unknown. */
export const UNKNOWN = "—"

const SUBSCRIPT_DIGITS = "₀₁₂₃₄₅₆₇₈₉"
/** More zeros than this after the point are counted in a subscript: 0.0₇123. */
const ZEROS_SPELLED_OUT = 6
/** `toFixed` takes no more. */
const DECIMALS_MAX = 100

/** @type {(value: number | null | undefined) => value is number} */
const isKnown = value => typeof value === "number" && Number.isFinite(value)

/** @type {(value: number) => number} zeros between the point and the first digit */
const leadingZeros = value => {
  const size = Math.abs(value)
  return size >= 1 || size === 0 ? 0 : -Math.floor(Math.log10(size)) - 1
}

/** @type {(fixed: string) => string} 1234.5 → 1,234.5 */
const groupThousands = fixed => {
  const [whole = "", fraction] = fixed.split(".")
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",")
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** @type {(count: number) => string} */
const subscript = count =>
  String(count)
    .split("")
    .map(digit => SUBSCRIPT_DIGITS[Number(digit)])
    .join("")

/**
 * A long run of zeros after the point becomes its count, of those zeros that are to be counted.
 *
 * @param {string} fixed
 * @param {number} [most]
 */
export const countZeros = (fixed, most = DECIMALS_MAX) => {
  const [, sign = "", zeros = "", digits = ""] = /^(-?)0\.(0+)([1-9]\d*)$/.exec(fixed) ?? []
  const count = Math.min(zeros.length, most)
  return count > ZEROS_SPELLED_OUT
    ? `${sign}0.0${subscript(count)}${zeros.slice(count)}${digits}`
    : groupThousands(fixed)
}

/**
 * Decimals that give a price five significant digits from 1 upwards, four below, and cents at
 * least, so that prices of one market line up.
 *
 * @param {number | null} price US dollars
 * @returns {number} 0 to 100
 */
export const priceDecimals = price => {
  if (!isKnown(price) || price === 0) return 2
  const size = Math.abs(price)
  if (size < 1) return Math.min(DECIMALS_MAX, leadingZeros(size) + 4)
  return Math.max(2, 4 - Math.floor(Math.log10(size)))
}

/**
 * A price in US dollars without the sign: 12,345.68, 1.2346, 0.0000123, 0.0₇123.
 *
 * @param {number | null | undefined} price
 * @param {number} [decimals] how many to keep, zeros included; else as many as the price needs
 * @returns {string}
 */
export const formatPrice = (price, decimals) => {
  if (!isKnown(price)) return UNKNOWN
  if (price === 0) return "0"
  if (Math.abs(price) >= PLAIN_MAX) return price.toExponential(2)
  const own = priceDecimals(price)
  // A shared precision too coarse for this price would show it as zero, one much finer as noise.
  if (decimals !== undefined && Math.abs(price) >= 10 ** -decimals) {
    return countZeros(price.toFixed(Math.min(decimals, own + 1)))
  }
  const fixed = price.toFixed(own)
  return countZeros(Math.abs(price) < 1 ? fixed.replace(/\.?0+$/, "") : fixed)
}

/** Above it a number is written with an exponent; nothing sane is that large. */
export const PLAIN_MAX = 1e15

/** @type {ReadonlyArray<readonly [number, string]>} */
const SCALES = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"]
]

/** @type {(size: number) => string} three significant digits with a scale letter: 1.23M */
const compact = size => {
  if (size >= PLAIN_MAX) return size.toExponential(2)
  // 999,999 must not become 1000K: a value that rounds up to the next scale takes its letter.
  for (const [scale, letter] of SCALES) {
    if (size < scale * 0.9995) continue
    const scaled = size / scale
    const decimals = scaled < 9.995 ? 2 : scaled < 99.95 ? 1 : 0
    return groupThousands(scaled.toFixed(decimals)) + letter
  }
  return size.toFixed(2)
}

/**
 * Dollars in little room: <$0.000001, $0.0042, $12.30, $4.56K, $7.89M.
 *
 * @param {number | null | undefined} value
 * @returns {string}
 */
export const formatUsd = value => {
  if (!isKnown(value)) return UNKNOWN
  const size = Math.abs(value)
  const sign = value < 0 ? "-" : ""
  if (size === 0) return "$0"
  if (size < 1e-6) return `${sign}<$0.000001`
  if (size < 0.01) return `${sign}$${size.toFixed(leadingZeros(size) + 2)}`
  return `${sign}$${compact(size)}`
}

/**
 * An amount of a token in little room: 0.0042, 12.35, 4.56K.
 *
 * @param {number | null | undefined} value whole tokens
 * @returns {string}
 */
export const formatAmount = value => {
  if (!isKnown(value)) return UNKNOWN
  if (value === 0) return "0"
  const size = Math.abs(value)
  const sign = value < 0 ? "-" : ""
  return sign + (size < 1 ? formatPrice(size) : compact(size))
}

/**
 * @param {number | null | undefined} value percent
 * @returns {string} with its sign: +1.23%, -0.40%, 0.00%
 */
export const formatPercent = value => {
  if (!isKnown(value)) return UNKNOWN
  const size = Math.abs(value)
  const digits = size >= 1000 ? compact(size) : size.toFixed(2)
  return Number(size.toFixed(2)) === 0 ? "0.00%" : `${value > 0 ? "+" : "-"}${digits}%`
}

/** @type {(value: number | null | undefined) => string} 1234567 → 1,234,567 */
export const formatInteger = value =>
  isKnown(value) ? groupThousands(Math.trunc(value).toFixed(0)) : UNKNOWN

/** @type {(address: string) => string} 0x1234…abcd */
export const shortAddress = address =>
  address.length > 12 ? `${address.slice(0, 6)}…${address.slice(-4)}` : address

/** @type {(seconds: number) => string} ISO without its last letter, or null's mark */
const isoOf = seconds => {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? "" : time.toISOString()
}

/** @type {(seconds: number | null | undefined) => string} Unix seconds → 14:03:59 */
export const formatClock = seconds =>
  isKnown(seconds) ? isoOf(seconds).slice(11, 19) || UNKNOWN : UNKNOWN

/** @type {(seconds: number | null | undefined) => string} Unix seconds → 2026-10-16 14:03 */
export const formatDateTime = seconds =>
  isKnown(seconds) ? isoOf(seconds).slice(0, 16).replace("T", " ") || UNKNOWN : UNKNOWN

const DAY_SECONDS = 86_400

/** @type {(seconds: number) => string} 2026-10-16 */
const dayOf = seconds => isoOf(seconds).slice(0, 10)

/**
 * The day of a time that is not of the present day, which a clock alone would pass off as today.
 *
 * @param {number | null | undefined} seconds Unix seconds
 * @param {number} now the same
 * @returns {string} 2024-01-05; empty of today, and where the time is unknown
 */
export const formatPastDay = (seconds, now) =>
  isKnown(seconds) && dayOf(seconds) !== dayOf(now) ? dayOf(seconds) : ""

/**
 * A time in little room: the hour and minute of today and of the 24 hours before, else the day.
 *
 * @param {number | null | undefined} seconds Unix seconds
 * @param {number} now the same
 * @returns {string} 14:03, 10-15 23:59 of yesterday, or 2024-01-05
 */
export const formatSince = (seconds, now) => {
  const day = formatPastDay(seconds, now)
  if (day !== "" && now - Number(seconds) > DAY_SECONDS) return day
  return `${day.slice("2024-".length)} ${formatClock(seconds).slice(0, 5)}`.trim()
}

/**
 * A rule's words, with its figures in place of their names.
 *
 * @param {{ readonly text: string, readonly [figure: string]: unknown }} rule
 * @returns {string}
 */
export const formatRule = ({ text, ...figures }) =>
  Object.entries(figures).reduce(
    (words, [name, figure]) => {
      if (typeof figure !== "number") return words
      return words.replaceAll(
        name,
        name.endsWith("Usd") ? formatUsd(figure) : formatInteger(figure)
      )
    },
    text.replaceAll("`", "")
  )

/**
 * How long something lasts, in its largest fitting unit: 0.8 s, 45 s, 12 min, 3 h, 5 d.
 *
 * @param {number | null | undefined} seconds below zero counts as zero
 * @returns {string}
 */
export const formatDuration = seconds => {
  if (!isKnown(seconds)) return UNKNOWN
  const length = Math.max(0, seconds)
  if (length < 9.95) return `${length.toFixed(1)} s`
  if (length < 119.5) return `${Math.round(length)} s`
  if (length < 7170) return `${Math.round(length / 60)} min`
  if (length < 171_000) return `${Math.round(length / 3600)} h`
  return `${Math.round(length / 86_400)} d`
}

/**
 * A label written by a stranger, safe to show in a line: no control, format or direction
 * characters, no runs of spaces, not longer than asked. Still text: never HTML.
 *
 * @param {string | null | undefined} text
 * @param {number} lengthMax
 * @returns {string} empty where nothing is left
 */
export const cleanLabel = (text, lengthMax) => {
  const kept = String(text ?? "")
    .replace(/\s+/g, " ")
    .replace(/\p{C}/gu, "")
    .trim()
  const characters = [...kept]
  return characters.length > lengthMax ? `${characters.slice(0, lengthMax - 1).join("")}…` : kept
}

/** @type {(token: { readonly symbol: string | null, readonly address: string }) => string} */
export const symbolOf = token => cleanLabel(token.symbol, 24) || shortAddress(token.address)
