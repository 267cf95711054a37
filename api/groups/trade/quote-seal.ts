/**
 * Seals quotes, so that one echoed back is known to be as it was given. The id is a code over the
 * other fields in a fixed order: clients may order the fields of an object as they like. It is over
 * the quote's form, too: what one route gave is none of the other's quotes.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context } from "effect"
import { SLIPPAGE_BPS } from "./quote.api.ts"

type Json =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }
export type JsonObject = { readonly [key: string]: Json }

/** Objects and lists within each other: no quote has more. */
const MOST_DEEP = 16

/** JSON with the fields of each object in the order of their names; what is deeper is left out. */
const canonical = (value: Json, deep = MOST_DEEP): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (deep === 0) return "…"
  const inner = (one: Json): string => canonical(one, deep - 1)
  if (Array.isArray(value)) return `[${value.map(inner).join(",")}]`
  const fields = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${inner(one)}`).join(",")}}`
}

/** Whether the seal of an echoed quote is right, and which slippage it was given with. */
export type SealCheck =
  | { readonly ok: true; readonly slippageBps: number }
  | { readonly ok: false; readonly reason: "edited" }

/** The routes' quotes: of the router, and of the meta aggregator. */
export type QuoteForm = "quote" | "meta-quote"

const SEPARATOR = "."
const ID = /^([1-9][0-9]{0,3})\.([A-Za-z0-9_-]{43})$/

export class QuoteSeal {
  private readonly key: Uint8Array

  /** `key`: a secret; another one refuses all quotes given before */
  constructor(key: Uint8Array) {
    this.key = key
  }

  private code(form: QuoteForm, quote: JsonObject, slippageBps: number): string {
    const { quoteId: _, slippageBps: __, ...sealed } = quote
    const text = [form, slippageBps, canonical(sealed)].join(SEPARATOR)
    return createHmac("sha256", this.key).update(text).digest("base64url")
  }

  /** The id of a quote. The slippage stands in it: an echo may leave that field out. */
  idOf(form: QuoteForm, quote: JsonObject & { readonly slippageBps: number }): string {
    return `${quote.slippageBps}${SEPARATOR}${this.code(form, quote, quote.slippageBps)}`
  }

  /** Checks an echoed quote, whatever it says of its slippage. */
  check(form: QuoteForm, echoed: JsonObject): SealCheck {
    const { quoteId } = echoed
    const [, slippage = "0", code = ""] = ID.exec(typeof quoteId === "string" ? quoteId : "") ?? []
    const slippageBps = Number(slippage)
    const given = Buffer.from(code)
    const wanted = Buffer.from(this.code(form, echoed, slippageBps))
    const isSame = given.length === wanted.length && timingSafeEqual(given, wanted)
    return isSame && slippageBps >= SLIPPAGE_BPS.least
      ? { ok: true, slippageBps }
      : { ok: false, reason: "edited" }
  }
}

/** The seal of all quotes that this process gives, and its neighbours on one log server. */
export class Seal extends Context.Service<Seal, QuoteSeal>()("swaptape/api/Seal") {}
