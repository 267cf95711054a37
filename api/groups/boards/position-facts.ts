/** What boards and the search need to know of all tokens, found once for each position. */
import { type FoldsView, once } from "../../../engine/query.ts"
import { tokens } from "../../../projections/tokens/output.ts"
import { sortedOrders } from "./kept-orders.ts"
import { TokenView } from "./token-row.ts"
import { windowOf } from "./window-of.ts"

/** The tokens that traded in the window, ascending. */
export const tradedIn = once(context => {
  const { trades } = windowOf(context).ofTokens.columns
  const count = context.output(tokens).count()
  const traded = new Uint32Array(count)
  let size = 0
  for (let token = 0; token < count; token++) if ((trades[token] ?? 0) > 0) traded[size++] = token
  return traded.slice(0, size)
})

/** The tokens that traded in the window, those with most volume first, then the first seen. */
export const byVolume = once(context => {
  const view = new TokenView(context, windowOf(context))
  const count = view.facts.tokens.count()
  const sorted = context.kept(sortedOrders).get("volume")
  return sorted.of(tradedIn(context), count, token => view.volumeOf(token))
})

/** Marks by token, by the name of the rules that they follow from. */
type Marks = Map<string, Uint8Array>

const listedByRules = once((): Marks => new Map())
const flaggedByRules = once((): Marks => new Map())

const marked = (marks: Marks, { rulesName }: TokenView, make: () => Uint8Array): Uint8Array => {
  const made = marks.get(rulesName) ?? make()
  marks.set(rulesName, made)
  return made
}

/** By token: 1 where it is listed by the view's rules. */
export const listedBy = (context: FoldsView, view: TokenView): Uint8Array =>
  marked(listedByRules(context), view, () => view.listed())

/** By token: 1 where it traded in the window and is flagged by the view's rules. */
export const flaggedBy = (context: FoldsView, view: TokenView): Uint8Array =>
  marked(flaggedByRules(context), view, () => {
    const flagged = new Uint8Array(view.facts.tokens.count())
    for (const token of tradedIn(context)) if (view.isFlagged(token)) flagged[token] = 1
    return flagged
  })
