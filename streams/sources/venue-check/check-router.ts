/**
 * Asks a chain whether a contract stands where too few sources say that a router does. What it
 * does nobody can ask; that it is a contract, and so no trader, is what attribution needs.
 */
import { Effect, Predicate } from "effect"
import type { RouterCandidate, RouterCheck } from "../../../src/domain/chain.ts"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { SourceError } from "../../source.ts"
import type { Endpoints } from "../evm-rpc/endpoints.ts"

/** What an account's code begins with that delegates to a contract's (EIP-7702): a wallet. */
const DELEGATION = "0xef0100"

const readHex = (value: unknown): string | null =>
  Predicate.isString(value) && value.startsWith("0x") ? value : null

const foundIn = (code: string): Pick<RouterCheck, "state" | "reason"> => {
  if (code === "0x") return { state: "refuted", reason: "no code at its address" }
  return code.startsWith(DELEGATION)
    ? { state: "refuted", reason: "an account that borrows its code" }
    : { state: "proven", reason: `code of ${(code.length - 2) / 2} bytes` }
}

/** What the chain says of one address now. */
export const checkRouter = (
  endpoints: Endpoints,
  { address, name, settles = false }: RouterCandidate
): Effect.Effect<RouterCheck, RpcError | SourceError> =>
  Effect.map(
    endpoints.request({ method: "eth_getCode", params: [address, "latest"] }, readHex),
    code => ({ address, name, settles, ...foundIn(code) })
  )
