/** Fields of JSON of which nothing is known yet. */

export type Fields = { readonly [name: string]: unknown }

export const fieldsOf = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** Returns a list; an absent one is empty, anything else null. */
export const listOf = (value: unknown): ReadonlyArray<unknown> | null =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : null

export const textsOf = (value: unknown): ReadonlyArray<string> | null => {
  const list = listOf(value)
  return list?.every(one => typeof one === "string") === true ? (list as Array<string>) : null
}

/** Returns a whole number from 0; null for anything else. */
export const wholeNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
