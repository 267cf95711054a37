/** Comments whose lines a long name has made too long, broken anew. */

const MOST_COLUMNS = 100

/** Words, those between backquotes together. @param {string} text */
const wordsIn = text => text.match(/(?:`[^`]*`|\S)+/g) ?? []

/** The words in lines that begin with `begin`. @type {(begin: string, text: string) => string[]} */
const filledLines = (begin, text) => {
  /** @type {string[]} */
  const lines = []
  let line = ""
  for (const word of wordsIn(text)) {
    const longer = line === "" ? begin + word : `${line} ${word}`
    if (line !== "" && longer.length > MOST_COLUMNS) {
      lines.push(line)
      line = begin + word
    } else line = longer
  }
  return [...lines, line]
}

/** A line of a comment, as its begin and its text. @param {string} line */
const commentIn = line => {
  const [, begin, text] = /^( *(?:\*|\/\/) )(\S.*)$/.exec(line) ?? []
  return begin === undefined || text === undefined ? undefined : { begin, text }
}

/** A comment of one line as three where it is too long. @param {string} line */
const opened = line => {
  const [, indent, text] = /^( *)\/\*\* (.+) \*\/$/.exec(line) ?? []
  return line.length <= MOST_COLUMNS || text === undefined
    ? [line]
    : [`${indent}/**`, `${indent} * ${text}`, `${indent} */`]
}

/**
 * The code with no comment's line of more than 100 columns. What follows such a line in its
 * paragraph is filled with it.
 *
 * @param {string} code
 */
export const withWrapped = code => {
  /** @type {string[]} */
  const out = []
  let lines = code.split("\n").flatMap(opened)
  for (;;) {
    const [line, ...rest] = lines
    if (line === undefined) return out.join("\n")
    const comment = commentIn(line)
    if (line.length <= MOST_COLUMNS || comment === undefined) {
      out.push(line)
      lines = rest
      continue
    }
    const { begin } = comment
    const after = rest.map(commentIn)
    const end = after.findIndex(next => next?.begin !== begin)
    const taken = end < 0 ? rest.length : end
    const text = [comment, ...after.slice(0, taken)].map(one => one?.text).join(" ")
    out.push(...filledLines(begin, text))
    lines = rest.slice(taken)
  }
}
