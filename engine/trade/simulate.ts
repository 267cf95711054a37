/** Runs a built swap on paper, as its taker, and names why it would revert. */
import { Effect } from "effect"
import { RpcError } from "../../src/platform/rpc-error.ts"
import type { ChainNode, NodeCall, StateOverrides } from "./chain-node.ts"
import { NATIVE, routerAbi } from "./contract/router-call.ts"
import { readCall } from "./read-abi.ts"
import { decodedError, inWords, type NamedError, revertWords } from "./revert-words.ts"
import { allowanceOf, balanceOf } from "./token-calls.ts"
import type { SlotFinder } from "./token-slots.ts"

type Hex = `0x${string}`

export type RevertCause =
  | "router-not-approved"
  | "insufficient-balance"
  | "price-moved"
  | "deadline-passed"
  | "venue-refused"
  | "token-refused"
  | "out-of-gas"
  | "unknown"

export type SimulationOutcome = {
  readonly assumed: ReadonlyArray<"balance" | "allowance">
} & (
  | { readonly ok: true; readonly amountOut: bigint }
  | { readonly ok: false; readonly cause: RevertCause; readonly revert: string }
)

/** What a swap's calldata asks for. */
export interface SwapInput {
  readonly tokenIn: Hex
  readonly amountIn: bigint
  readonly byAllowance: boolean
}

/** What a swap of the router's asks for. */
export interface SwapCall extends SwapInput {
  readonly minimumOut: bigint
}

/** The order in a router's calldata; null where it is none. */
export const swapInput = (data: Hex): SwapCall | null => {
  const call = readCall(routerAbi, data)
  if (call === null) return null
  const { functionName, args } = call
  if (functionName !== "swap" && functionName !== "swapWithPermit2") return null
  const [{ tokenIn, amountIn, minimumOut }] = args
  const byAllowance = functionName === "swap" && tokenIn !== NATIVE
  return { tokenIn: tokenIn.toLowerCase() as Hex, amountIn, minimumOut, byAllowance }
}

/** The router's errors that tell the cause by themselves, and what to do. */
const named = ({ name, args }: NamedError) => {
  switch (name) {
    case "TooLittleReceived":
      return {
        cause: "price-moved",
        revert: `the price moved: ${args[0]} would arrive, the least is ${args[1]}; quote again`
      } as const
    case "DeadlinePassed":
      return { cause: "deadline-passed", revert: "the deadline has passed; quote again" } as const
    case "TransferFailed": {
      const reason = decodedError(args[1] as Hex)
      const words = reason === null ? "" : `: ${inWords(reason)}`
      return {
        cause: "token-refused",
        revert: `token ${String(args[0]).toLowerCase()} refused its transfer${words}`
      } as const
    }
    default:
      return null
  }
}

/**
 * The router names its own refusals and those of tokens, so whatever else it reverts with, an error
 * that nobody here knows or nothing at all, is a pool's. Some nodes do not tell what it was.
 */
const causeOf = ({
  message,
  revertData
}: RpcError): { readonly cause: RevertCause; readonly revert: string } => {
  if (revertData === undefined) return { cause: "unknown", revert: message }
  const error = decodedError(revertData)
  const refused = {
    cause: "venue-refused",
    revert: `a pool refused: ${revertWords(revertData)}; quote again in some seconds`
  } as const
  return error === null ? refused : (named(error) ?? refused)
}

/** Whether the taker lacks the input, or has not allowed it: the commonest reasons of all. */
const lacking = (node: ChainNode, from: Hex, spender: Hex, input: SwapInput) =>
  Effect.gen(function* () {
    const { tokenIn, amountIn, byAllowance } = input
    if (!byAllowance) return null
    const balance = yield* balanceOf(node, tokenIn, from)
    if (balance !== null && balance < amountIn) {
      return {
        cause: "insufficient-balance",
        revert: `ERC20InsufficientBalance: the taker has ${balance} of ${tokenIn}, the swap sells ${amountIn}`
      } as const
    }
    const allowance = yield* allowanceOf(node, tokenIn, from, spender)
    if (allowance === null || allowance >= amountIn) return null
    return {
      cause: "router-not-approved",
      revert: `router not approved: ${spender} may take ${allowance} of ${tokenIn}, the swap sells ${amountIn}; approve first (an approval that is not mined yet looks the same: proceed)`
    } as const
  })

/** Nodes refuse a call that sends more of the native unit than its sender has: no contract does. */
const isUnfunded = ({ kind, message }: RpcError): boolean =>
  kind !== "reverted" && /insufficient (funds|balance)/i.test(message)

const isOfCall = (error: RpcError): boolean => error.kind === "reverted" || isUnfunded(error)

const NO_FUNDS = {
  cause: "insufficient-balance",
  revert: "the taker has less of the native unit than the swap sells"
} as const

/** A swap to be run: who sells what, by whose allowance, and how a node runs it. */
export interface Trial<A> {
  readonly taker: Hex
  readonly spender: Hex
  readonly input: SwapInput
  /** asked with what is taken for granted */
  readonly run: (overrides: StateOverrides | undefined) => Effect.Effect<A, RpcError>
}

/** What became of a trial: its result, or why it reverted. */
export type TrialOutcome<A> = {
  readonly assumed: ReadonlyArray<"balance" | "allowance">
} & (
  | { readonly ok: true; readonly result: A }
  | { readonly ok: false; readonly cause: RevertCause; readonly revert: string }
)

/**
 * Runs a trial on the newest block. With `finder` the taker has the input and has approved it, as
 * far as the token shows where it keeps that.
 */
export const runTrial = <A>(
  node: ChainNode,
  { taker, spender, input, run }: Trial<A>,
  finder: SlotFinder | null
): Effect.Effect<TrialOutcome<A>, RpcError> =>
  Effect.gen(function* () {
    const { tokenIn, amountIn, byAllowance } = input
    const assumed =
      finder === null || !byAllowance
        ? { overrides: undefined, what: [] }
        : yield* finder.assume(tokenIn, taker, spender, amountIn)
    const { what } = assumed
    return yield* run(assumed.overrides).pipe(
      Effect.map(result => ({ ok: true, result, assumed: what }) as const),
      Effect.catchIf(isOfCall, error =>
        Effect.gen(function* () {
          if (isUnfunded(error)) return { ok: false, assumed: what, ...NO_FUNDS } as const
          const lacks = what.length === 2 ? null : yield* lacking(node, taker, spender, input)
          return { ok: false, assumed: what, ...(lacks ?? causeOf(error)) } as const
        })
      )
    )
  })

const WORD_TEXT = 66

/** What arrived; fails where the contract cannot have answered so, which gives no less. */
const received = (answer: Hex, { to }: NodeCall, { minimumOut }: SwapCall) => {
  const arrived = answer.length === WORD_TEXT ? BigInt(answer) : null
  if (arrived !== null && arrived >= minimumOut) return Effect.succeed(arrived)
  const message = `the node answers what no router contract does: is there one at ${to}?`
  const asked = { endpoint: "", method: "eth_call" }
  return Effect.fail(new RpcError({ kind: "bad-answer", ...asked, message }))
}

const shortOfGas = ({ gas }: NodeCall): string =>
  `out of gas: it takes more than its limit, ${gas}; build it again from a new quote`

/** What a call with a gas limit fails with where that may be the reason. */
const mayLackGas = ({ kind, message }: RpcError): boolean =>
  kind === "reverted" || /gas/i.test(message)

/** What arrives, and whether the call's gas limit is too low for that: then without the limit. */
const ranSwap = (
  node: ChainNode,
  { gas, ...call }: NodeCall,
  input: SwapCall,
  overrides: StateOverrides | undefined
) => {
  const run = (limited: NodeCall) =>
    Effect.suspend(() => node.call(limited, overrides)).pipe(
      Effect.flatMap(answer => received(answer, call, input))
    )
  const whole = Effect.map(run(call), amountOut => ({ amountOut, lacksGas: gas !== undefined }))
  if (gas === undefined) return whole
  return Effect.catchIf(
    Effect.map(run({ ...call, gas }), amountOut => ({ amountOut, lacksGas: false })),
    mayLackGas,
    () => whole
  )
}

/** Runs a transaction of the router on the newest block, as `runTrial`, within its gas limit. */
export const simulateSwap = (
  node: ChainNode,
  call: NodeCall,
  input: SwapCall,
  finder: SlotFinder | null
): Effect.Effect<SimulationOutcome, RpcError> =>
  Effect.map(
    runTrial(
      node,
      {
        ...{ taker: call.from, spender: call.to, input },
        run: overrides => ranSwap(node, call, input, overrides)
      },
      finder
    ),
    outcome => {
      if (!outcome.ok) return outcome
      const { assumed, result } = outcome
      return result.lacksGas
        ? { ok: false, assumed, cause: "out-of-gas", revert: shortOfGas(call) }
        : { ok: true, amountOut: result.amountOut, assumed }
    }
  )
