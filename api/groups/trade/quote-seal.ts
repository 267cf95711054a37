/**
 * Seals quotes, so that one echoed back is known to be as it was given. The id is a code over the
 * other fields in a fixed order: clients may order the fields of an object as they like.
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

/** JSON with the fields of each object in the order of their names. */
const canonical = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  const fields = Object.entries(value as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(",")}}`
}

/** Whether the seal of an echoed quote is right, and which slippage it was given with. */
export type SealCheck =
  | { readonly ok: true; readonly slippageBps: number }
  | { readonly ok: false; readonly reason: "edited" }

const SEPARATOR = "."

export class QuoteSeal {
  private readonly key: Uint8Array

  /** `key`: a secret; another one refuses all quotes given before */
  constructor(key: Uint8Array) {
    this.key = key
  }

  private code(quote: JsonObject, slippageBps: number): string {
    const { quoteId: _, slippageBps: __, ...sealed } = quote
    const text = `${slippageBps}${SEPARATOR}${canonical(sealed)}`
    return createHmac("sha256", this.key).update(text).digest("base64url")
  }

  /** The id of a quote. The slippage stands in it: an echo may leave that field out. */
  idOf(quote: JsonObject & { readonly slippageBps: number }): string {
    return `${quote.slippageBps}${SEPARATOR}${this.code(quote, quote.slippageBps)}`
  }

  /** Checks an echoed quote, whatever it says of its slippage. */
  check(echoed: JsonObject): SealCheck {
    const { quoteId } = echoed
    const [slippage = "", code = ""] = typeof quoteId === "string" ? quoteId.split(SEPARATOR) : []
    const slippageBps = /^[0-9]{1,4}$/.test(slippage) ? Number(slippage) : 0
    const given = Buffer.from(code)
    const wanted = Buffer.from(this.code(echoed, slippageBps))
    const isSame = given.length === wanted.length && timingSafeEqual(given, wanted)
    return isSame && slippageBps >= SLIPPAGE_BPS.least
      ? { ok: true, slippageBps }
      : { ok: false, reason: "edited" }
  }
}

/** The seal of all quotes that this process gives. */
export class Seal extends Context.Service<Seal, QuoteSeal>()("swaptape/api/Seal") {}
