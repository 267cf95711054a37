/** What a mistyped name was probably meant to be. */

/** Edits that turn one word into the other: a letter more, less, other, or two swapped. */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1)
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      }
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}

/** Longer words are nobody's typing error, and cost too much to compare. */
const LONGEST = 64

/** Names up to so long are short for a word, as `tf` for `timeframe`. */
const SHORT = 3

/** Whether a name is short for a word: its first letter, then others in their order. */
const isShortFor = (name: string, word: string): boolean => {
  if (name.length > SHORT || name[0] !== word[0]) return false
  let at = 0
  for (const letter of word) if (letter === name[at]) at++
  return at === name.length
}

/**
 * The name nearest to a word, letter case aside; undefined where none is near: a third of its
 * letters may be wrong, it may be a beginning of the name, or the name short for it.
 */
export const nearestName = (word: string, names: ReadonlyArray<string>): string | undefined => {
  if (word.length > LONGEST) return undefined
  const typed = word.toLowerCase()
  const ranked = names
    .map(name => ({ name, off: distance(typed, name.toLowerCase()) }))
    .sort((a, b) => a.off - b.off)
  const near = ranked.find(({ name, off }) => off <= Math.max(1, Math.ceil(name.length / 3)))
  const begun = names.filter(
    name =>
      typed.length > 1 &&
      (name.toLowerCase().startsWith(typed) || typed.startsWith(name.toLowerCase()))
  )
  return near?.name ?? begun[0] ?? names.find(name => isShortFor(name.toLowerCase(), typed))
}

const SHOWN_LENGTH = 64

/** A text of a reader's as refusals show it. */
export const shownText = (value: string): string =>
  JSON.stringify(value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value)

/** Says that a taker, as `this route`, has no parameter of a name, and which one was meant. */
export const noParameter = (name: string, known: ReadonlyArray<string>, taker: string): string => {
  const near = nearestName(name, known)
  const taken = known.length === 0 ? "none" : known.join(", ")
  const hint = near === undefined ? `${taker} takes ${taken}` : `did you mean ${near}?`
  return `there is no parameter ${shownText(name)} here; ${hint}`
}
