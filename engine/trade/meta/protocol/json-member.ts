/**
 * A member of a JSON text as it is written. Some protocols want a part of their answer back byte
 * for byte, and a parser rounds numbers that a double does not hold.
 */

/** The end (exclusive) of the string that begins at `at`; the text is JSON. */
const stringEnd = (text: string, at: number): number => {
  let i = at + 1
  while (text[i] !== '"') i += text[i] === "\\" ? 2 : 1
  return i + 1
}

const SPACE = /[\s,:]/

const skip = (text: string, at: number): number => {
  let i = at
  while (i < text.length && SPACE.test(text[i] as string)) i++
  return i
}

/** The end (exclusive) of the value that begins at `at`. */
const valueEnd = (text: string, at: number): number => {
  const first = text[at]
  if (first === '"') return stringEnd(text, at)
  if (first !== "{" && first !== "[") {
    let i = at
    while (i < text.length && !/[\s,}\]]/.test(text[i] as string)) i++
    return i
  }
  let depth = 0
  let i = at
  do {
    const one = text[i]
    if (one === '"') {
      i = stringEnd(text, i)
      continue
    }
    if (one === "{" || one === "[") depth++
    if (one === "}" || one === "]") depth--
    i++
  } while (depth > 0)
  return i
}

/** Where a member's value lies in the object at `at`; of several the last, as parsers do. */
const memberIn = (text: string, at: number, name: string) => {
  if (text[at] !== "{") return null
  let member: { readonly from: number; readonly to: number } | null = null
  let i = skip(text, at + 1)
  while (text[i] === '"') {
    const nameEnd = stringEnd(text, i)
    const key: unknown = JSON.parse(text.slice(i, nameEnd))
    const from = skip(text, nameEnd)
    const to = valueEnd(text, from)
    if (key === name) member = { from, to }
    i = skip(text, to)
  }
  return member
}

/** The text of a member by the names that lead to it; null where there is none. `text` is JSON. */
export const jsonMember = (text: string, path: ReadonlyArray<string>): string | null => {
  let at = skip(text, 0)
  let end = text.length
  for (const name of path) {
    const member = memberIn(text, at, name)
    if (member === null) return null
    at = member.from
    end = member.to
  }
  return text.slice(at, end)
}
