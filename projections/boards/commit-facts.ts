/** What boards and the search need to know of all tokens, found once for each commit. */
import type { FoldsContext } from "../../engine/query.ts"
import { boardsOutput } from "./board-memory.ts"
import type { TokenView } from "./token-row.ts"

/** The tokens that traded in the window, ascending. */
export const tradedIn = (context: FoldsContext, view: TokenView): Uint32Array =>
  context.output(boardsOutput).once("traded", context.seq, () => {
    const { trades } = view.window.ofTokens.columns
    const count = view.facts.tokens.count()
    const found = new Uint32Array(count)
    let size = 0
    for (let token = 0; token < count; token++) if ((trades[token] ?? 0) > 0) found[size++] = token
    return found.slice(0, size)
  })

/** They, those with most volume first, then the first seen. */
export const byVolume = (context: FoldsContext, view: TokenView): Uint32Array =>
  context.output(boardsOutput).once("by volume", context.seq, () => {
    const count = view.facts.tokens.count()
    const sorted = context.output(boardsOutput).sortedAs("volume")
    return sorted.of(tradedIn(context, view), count, token => view.volumeOf(token))
  })

/** By token: 1 where it is listed by the view's rules. */
export const listedBy = (context: FoldsContext, view: TokenView): Uint8Array =>
  context.output(boardsOutput).once(`listed ${view.rulesName}`, context.seq, () => view.listed())

/** By token: 1 where it traded in the window and is flagged by the view's rules. */
export const flaggedBy = (context: FoldsContext, view: TokenView): Uint8Array =>
  context.output(boardsOutput).once(`flagged ${view.rulesName}`, context.seq, () => {
    const flagged = new Uint8Array(view.facts.tokens.count())
    const traded = tradedIn(context, view)
    for (let i = 0; i < traded.length; i++) {
      if (view.isFlagged(traded[i] as number)) flagged[traded[i] as number] = 1
    }
    return flagged
  })
