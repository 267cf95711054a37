/** Texts that whoever made a token wrote, as they are shown: any bytes may stand there. */

/** Lengths above which a token's texts are cut, in code points. */
export const SYMBOL_LIMIT = 64
export const NAME_LIMIT = 128

/** Control characters, and the invisible ones that change how their neighbours are shown. */
const UNSHOWN = /[\p{Cc}\p{Cs}\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd]/gu

/** Returns a text without what cannot be shown, cut; null where nothing is left. */
export const shownText = (text: string, limit: number): string | null => {
  const shown = text.replace(UNSHOWN, "").trim()
  const short = [...shown].slice(0, limit).join("").trim()
  return short === "" ? null : short
}
