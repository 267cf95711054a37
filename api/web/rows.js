// @ts-check
/** Tables whose rows change: what stays as it is is not touched, nor does the focus move. */

import { element } from "./dom.js"

/**
 * @template Row
 * @typedef {object} Column
 * @property {string} name
 * @property {string} [sort] what rows are ordered by when its head is pressed
 * @property {boolean} [isNumber]
 * @property {(row: Row) => ReadonlyArray<Node | string>} cell
 */

/**
 * @template Row
 * @param {HTMLElement} body
 * @param {ReadonlyArray<Column<Row>>} columns the first names its row
 * @param {(row: Row) => string} keyOf
 * @returns {(rows: ReadonlyArray<Row>) => void}
 */
const keyedRows = (body, columns, keyOf) => {
  /** @type {Map<string, { text: string, row: HTMLElement }>} */
  let shown = new Map()
  /** @type {(row: Row, key: string) => HTMLElement} */
  const make = (row, key) =>
    element(
      "tr",
      { "data-key": key },
      ...columns.map(({ cell, isNumber }, at) => {
        const kind = isNumber ? { class: "number" } : {}
        const tag = at === 0 ? "th" : "td"
        return element(tag, at === 0 ? { scope: "row" } : kind, ...cell(row))
      })
    )
  return rows => {
    const { activeElement } = document
    const isWithin = activeElement !== null && body.contains(activeElement)
    const focused = isWithin ? activeElement.closest("tr")?.dataset["key"] : undefined
    /** @type {typeof shown} */
    const next = new Map()
    for (const row of rows) {
      const [key, text] = [keyOf(row), JSON.stringify(row)]
      const known = shown.get(key)
      next.set(key, known?.text === text ? known : { text, row: make(row, key) })
    }
    for (const [key, { row }] of shown) if (next.get(key)?.row !== row) row.remove()
    let place = body.firstChild
    for (const { row } of next.values()) {
      if (row === place) place = place.nextSibling
      else body.insertBefore(row, place)
    }
    shown = next
    if (focused === undefined || body.contains(document.activeElement)) return
    const link = next.get(focused)?.row.querySelector("a, button")
    if (link instanceof HTMLElement) link.focus({ preventScroll: true })
  }
}

/**
 * A table in a box that scrolls sideways by itself.
 *
 * @template Row
 * @param {object} options
 * @param {string} options.name what it lists
 * @param {ReadonlyArray<Column<Row>>} options.columns
 * @param {(row: Row) => string} options.keyOf
 * @param {string | null} [options.sorted] the `sort` of the column that rows are ordered by
 * @param {(sort: string) => void} [options.onSort]
 */
export const makeTable = ({ name, columns, keyOf, sorted, onSort }) => {
  const heads = columns.map(({ name: head, sort, isNumber }) => {
    const kind = isNumber ? { class: "number" } : {}
    if (sort === undefined || onSort === undefined) {
      return element("th", { scope: "col", ...kind }, head)
    }
    const isSorted = sort === sorted
    const button = element("button", { type: "button", class: "sort", "data-sort": sort }, head)
    button.addEventListener("click", () => onSort(sort))
    const order = isSorted ? /** @type {const} */ ({ "aria-sort": "descending" }) : {}
    return element("th", { scope: "col", ...kind, ...order }, button)
  })
  const body = element("tbody", {})
  const table = element(
    "table",
    { "aria-label": name },
    element("thead", {}, element("tr", {}, ...heads)),
    body
  )
  const box = element(
    "div",
    { class: "table-box", role: "group", "aria-label": name, tabindex: "0" },
    table
  )
  return { box, show: keyedRows(body, columns, keyOf) }
}
