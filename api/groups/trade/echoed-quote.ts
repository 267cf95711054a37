/** A quote that was echoed back: whether it is as it was given, and still good. */
import { Effect } from "effect"
import { Refusal } from "../../errors.ts"
import type { JsonObject, QuoteForm, QuoteSeal } from "./quote-seal.ts"

/** Seconds for which a quote is good (spec, 4.1.2). */
export const LIFE_SECONDS = 30

const refuse = (code: string, message: string) => new Refusal({ status: 400, code, message })

/** What every quote says of itself. */
interface Sealed {
  readonly slippageBps: number
  /** Unix seconds */
  readonly expiresAt: number
}

/** Checks an echoed quote; fails where it cannot be built from. `Q` is what was sealed. */
export const echoedQuote = <Q extends Sealed>(
  seal: QuoteSeal,
  form: QuoteForm,
  quote: { readonly [name: string]: unknown; readonly slippageBps?: number },
  now: number
): Effect.Effect<Q, Refusal> =>
  Effect.gen(function* () {
    const check = seal.check(form, quote as JsonObject)
    if (!check.ok) {
      const message = "the quote is not as it was given here: echo it unedited, or quote again"
      return yield* refuse("ROUTE_MISMATCH", message)
    }
    const { slippageBps = check.slippageBps } = quote
    if (slippageBps !== check.slippageBps) {
      const message = `slippageBps is ${slippageBps}, but the quote was given for ${check.slippageBps}`
      return yield* refuse("SLIPPAGE_MISMATCH", message)
    }
    const sealed = { ...quote, slippageBps } as unknown as Q
    // one that ends later than any given now is of a clock that was set back since
    if (sealed.expiresAt < now || sealed.expiresAt > now + LIFE_SECONDS) {
      const message = `the quote was good until ${sealed.expiresAt}, and it is ${now}: quote again`
      return yield* refuse("QUOTE_EXPIRED", message)
    }
    return sealed
  })
