/** Accounts of Solana that requests name: base58, in which the case of letters counts. */
import { Effect } from "effect"
import { base58Ids } from "../../src/domain/ids.ts"
import { Refusal } from "../errors.ts"
import { text } from "../parameters.ts"

const EXPECTED = base58Ids.accountText

/** A parameter that names an account of Solana. */
export const solanaAccount = (about: { readonly description: string; readonly example: string }) =>
  text({
    ...about,
    pattern: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
    expected: EXPECTED,
    code: "BAD_ADDRESS"
  })

/** Refuses (400) a text that has the digits of an account and is none: of 31 bytes, or of 33. */
export const accountOr = (name: string, text: string): Effect.Effect<string, Refusal> => {
  const account = base58Ids.parseAccount(text)
  if (account !== null) return Effect.succeed(account)
  const message = `${name} must be ${EXPECTED}, got ${text}`
  return Effect.fail(new Refusal({ status: 400, code: "BAD_ADDRESS", message }))
}
