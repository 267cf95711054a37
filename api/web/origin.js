// @ts-check
/** Of what position of the log something on a token's page is. */

import { setText } from "./dom.js"
import { formatInteger } from "./format.js"

/** @type {(box: HTMLElement, seq: number | null) => void} */
export const showSeq = (box, seq) => {
  setText(box, seq === null ? "" : `log seq ${formatInteger(seq)}`)
  if (seq !== null) box.dataset["seq"] = String(seq)
}
