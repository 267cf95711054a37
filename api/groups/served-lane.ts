/** Finds the lane and the token that a request names. */

import { Effect } from "effect"
import type { Lane, Lanes } from "../../engine/lane/lanes.ts"
import { tokenMeant } from "../../src/domain/chain.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { idsOf } from "../../src/domain/ids.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { type ErrorCode, Refusal } from "../errors.ts"
import { DEFAULT_CHAIN } from "./chain-parameter.ts"
import { withheldOr } from "./withheld-chain.ts"

type LanesValue = Lanes["Service"]

/**
 * Returns the lane of a chain's id or key, or of the default chain where `chain` is undefined. The
 * refusal (400) names the parameter and the chains that may be asked for, or that the chain needs a
 * key.
 *
 * @param mayBe whether a chain may be asked for here; all may by default
 */
export const servedLane = (
  lanes: LanesValue,
  chain: string | undefined,
  mayBe: (lane: Lane) => boolean = () => true
): Effect.Effect<Lane, Refusal> => {
  const lane = lanes.find(chain ?? DEFAULT_CHAIN)
  if (lane !== undefined) return Effect.succeed(lane)
  const served = lanes.all
    .filter(mayBe)
    .map(({ config }) => `${shownChain(config)} (${config.key})`)
    .join(", ")
  const what =
    chain === undefined
      ? `chain is missing, and the default, ${DEFAULT_CHAIN} (monad),`
      : `chain ${chain}`
  const message = `${what} is not served here; served: ${served}`
  const refusal = new Refusal({ status: 400, code: "INVALID_PARAMS", message })
  return Effect.fail(withheldOr(lanes, chain ?? DEFAULT_CHAIN, refusal))
}

const unserved = (message: string) =>
  Effect.fail(new Refusal({ status: 400, code: "UNSUPPORTED_CHAIN", message }))

/** Returns the lane where its transfers are read, and so who holds tokens; refuses (400) others. */
export const heldLane = (lane: Lane): Effect.Effect<Lane, Refusal> =>
  familyOf(lane.config).readsTransfers
    ? Effect.succeed(lane)
    : unserved(`holders are told of EVM chains: transfers are not read on ${lane.config.name}`)

const trades = ({ config }: Lane): boolean => familyOf(config).trades

/** Returns the lane of a chain on which swaps are quoted and built; refuses (400) others. */
export const tradedLane = (
  lanes: LanesValue,
  chain: string | undefined
): Effect.Effect<Lane, Refusal> =>
  Effect.flatMap(servedLane(lanes, chain, trades), lane =>
    trades(lane)
      ? Effect.succeed(lane)
      : unserved(`swaps are quoted and built on EVM chains: ${lane.config.name} is read-only here`)
  )

/** How a parameter is called, and what it is refused with (400) where its chain has no such one. */
export interface Called {
  readonly name: string
  readonly code: ErrorCode
}
const ADDRESS: Called = { name: "address", code: "BAD_ADDRESS" }

const refusedText = ({ name, code }: Called, expected: string, text: string) =>
  Effect.fail(
    new Refusal({ status: 400, code, message: `${name} must be ${expected}, got "${text}"` })
  )

/** Returns the account that a text is on a lane's chain. */
export const accountOn = (
  { config }: Lane,
  text: string,
  called = ADDRESS
): Effect.Effect<string, Refusal> => {
  const { parseAccount, accountText } = idsOf(config)
  const account = parseAccount(text)
  return account === null ? refusedText(called, accountText, text) : Effect.succeed(account)
}

/** Returns the pool that a text is on a lane's chain, by its account or its id. */
export const poolOn = ({ config }: Lane, text: string): Effect.Effect<string, Refusal> => {
  const { parsePool, poolText } = idsOf(config)
  const pool = parsePool(text)
  const called = { name: "pool", code: "INVALID_PARAMS" } as const
  return pool === null ? refusedText(called, poolText, text) : Effect.succeed(pool)
}

/**
 * Returns a token's account on a lane. The account of zeros becomes the token of the chain's native
 * unit, where there is one.
 */
export const tokenOn = (
  lane: Lane,
  text: string,
  called = ADDRESS
): Effect.Effect<string, Refusal> =>
  Effect.map(accountOn(lane, text, called), account => tokenMeant(lane.config, account))

/** The parameter `token`. */
export const TOKEN: Called = { name: "token", code: "INVALID_PARAMS" }
/** The parameter `address` of routes that refuse all of theirs with one code. */
export const PLAIN_ADDRESS: Called = { name: "address", code: "INVALID_PARAMS" }
