// @ts-check
/** What an answer cannot tell, in words: never shown as if it were nothing. */

import { element } from "./dom.js"
import { cleanLabel, formatDateTime } from "./format.js"

/** How long a line of the server's may be. */
const WORDS_MAX = 400
/** Stretches told one by one; the rest is counted. */
const STRETCHES_MAX = 3

/**
 * @typedef {object} Doubtful what answers say of themselves
 * @property {ReadonlyArray<{ readonly from: number, readonly to: number }>} [unknown] Unix seconds
 * @property {ReadonlyArray<string>} [warnings]
 * @property {ReadonlyArray<string> | null} [incompleteBecause]
 * @property {boolean} [preliminary]
 * @property {{ readonly minTradeUsd: number } | null} [ingestFloor]
 */

/** @type {(unknown: ReadonlyArray<{ readonly from: number, readonly to: number }>) => string[]} */
const unknownWords = unknown => {
  if (unknown.length === 0) return []
  const told = unknown
    .slice(-STRETCHES_MAX)
    .map(({ from, to }) => `${formatDateTime(from)} to ${formatDateTime(to)} UTC`)
  const more = unknown.length - told.length
  const others = more > 0 ? `, and ${more} earlier stretches` : ""
  return [
    `Unknown: ${told.join("; ")}${others}. The index lacks these blocks; sums, counts and zeros are of the rest.`
  ]
}

/** @type {(answer: Doubtful) => string[]} one line each; none where all is known */
export const caveatsOf = ({ unknown, warnings, incompleteBecause, preliminary, ingestFloor }) => [
  ...unknownWords(unknown ?? []),
  ...(incompleteBecause ?? []).map(because => `Incomplete: ${cleanLabel(because, WORDS_MAX)}`),
  ...(preliminary ? ["Preliminary: a better answer may follow."] : []),
  ...(ingestFloor && ingestFloor.minTradeUsd > 0
    ? [`Trades below $${ingestFloor.minTradeUsd} are not counted on this chain.`]
    : []),
  ...(warnings ?? []).map(warning => cleanLabel(warning, WORDS_MAX))
]

/** @type {(box: HTMLElement, lines: ReadonlyArray<string>) => void} hidden while there are none */
export const showCaveats = (box, lines) => {
  box.hidden = lines.length === 0
  const isSame = [...box.children].map(line => line.textContent).join("\n") === lines.join("\n")
  if (!isSame) box.replaceChildren(...lines.map(line => element("li", {}, line)))
}

/** A list for `showCaveats`. */
export const caveatList = () => {
  const list = element("ul", { class: "caveats", "aria-label": "What is not known" })
  list.hidden = true
  return list
}
