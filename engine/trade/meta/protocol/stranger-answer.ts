/** Reads what strangers answer: each field checked, numbers as decimal or hex text alone. */
import { Effect, Result, Schema, SchemaGetter } from "effect"
import type { HttpAnswer } from "../../../../src/platform/json-over-http.ts"
import { NATIVE } from "../../contract/router-call.ts"
import { type PassedOver, passOver } from "./passed-over.ts"
import { type Hex, NATIVE_PLACEHOLDER } from "./provider.ts"

/** A whole number as decimal text. A JSON number is refused: above 2^53 it is another one. */
export const Raw = Schema.String.check(Schema.isPattern(/^[0-9]{1,78}$/)).pipe(
  Schema.decodeTo(Schema.BigInt, {
    decode: SchemaGetter.transform(BigInt),
    encode: SchemaGetter.transform(String)
  })
)

/** A whole number as decimal or hex text. */
export const Quantity = Schema.String.check(
  Schema.isPattern(/^([0-9]{1,78}|0x[0-9a-fA-F]{1,64})$/)
).pipe(
  Schema.decodeTo(Schema.BigInt, {
    decode: SchemaGetter.transform(BigInt),
    encode: SchemaGetter.transform(String)
  })
)

const lowerCase = (text: string): Hex => text.toLowerCase() as Hex

/** An address in any letter case, as lower case. */
export const AnyAddress = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/)).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform(lowerCase),
    encode: SchemaGetter.transform(text => text)
  })
)

export const CallData = Schema.String.check(Schema.isPattern(/^0x([0-9a-fA-F]{2})+$/))

/** An estimate of gas, of which some make a number and some a text; never money. */
export const Gas = Schema.Union([Raw, Schema.Int])
export const gasOf = (gas: bigint | number | undefined): bigint | null =>
  gas === undefined || gas < 0 ? null : BigInt(gas)

/** The native unit by whatever placeholder, as the zero address. */
export const tokenOf = (address: string): Hex => {
  const token = address.toLowerCase() as Hex
  return token === NATIVE_PLACEHOLDER ? NATIVE : token
}

/** A token as providers with a placeholder for the native unit name it. */
export const placeholderOf = (token: Hex): Hex => (token === NATIVE ? NATIVE_PLACEHOLDER : token)

/** Reads an answer by its schema; one that does not read is a failure of its provider. */
export const readAnswer = <A>(
  decode: (input: unknown) => Result.Result<A, { readonly message: string }>,
  json: unknown
): Effect.Effect<A, PassedOver> => {
  const read = decode(json)
  return Result.isSuccess(read)
    ? Effect.succeed(read.success)
    : Effect.fail(passOver("bad-answer", `the answer is of another form: ${read.failure.message}`))
}

/** Sorts out answers that are the same in every protocol: no JSON, too many calls, no key. */
export const plainFaults = (answer: HttpAnswer): Effect.Effect<HttpAnswer, PassedOver> => {
  const { status, json, retryAfterMs } = answer
  if (status === 429) {
    return Effect.fail(passOver("rate-limited", "HTTP 429: too many calls", retryAfterMs ?? 0))
  }
  if (status >= 500) {
    return Effect.fail(passOver("provider-failed", `HTTP ${status}`, retryAfterMs))
  }
  if (json === undefined) {
    return Effect.fail(passOver("bad-answer", `HTTP ${status}: the answer is no JSON`))
  }
  if (status === 401) return Effect.fail(passOver("misconfigured", "HTTP 401: it refuses the key"))
  return Effect.succeed(answer)
}

/** Fails unless two things that have to be the same are. */
export const mustBe = (
  what: string,
  told: bigint | string | number,
  asked: bigint | string | number
): Effect.Effect<void, PassedOver> =>
  told === asked
    ? Effect.void
    : Effect.fail(passOver("mismatch", `${what} is ${told}, and ${asked} was asked for`))
