/** What strangers write, as answers and the log show it. */

/** Characters at most. */
const MOST_CHARACTERS = 200
/** Control and formatting characters, which could break lines or hide other text. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** Words of a stranger, made harmless and cut. */
export const shownWords = (words: string): string =>
  words.replace(UNSHOWABLE, " ").slice(0, MOST_CHARACTERS)
