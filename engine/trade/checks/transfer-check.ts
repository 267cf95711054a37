/**
 * How a token moves between a pool, the router and a taker, tried on paper by one call: code that
 * passes tokens on is put at the three, so a token of the pool's goes to the taker and back. It
 * tells what each transfer takes, and whether what was bought can be sold.
 */
import { Effect } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import type { RpcError } from "../../../src/platform/rpc-error.ts"
import type { ChainNode, StateOverrides } from "../chain-node.ts"
import compiled from "../contract/router.json" with { type: "json" }
import { readResult } from "../read-abi.ts"
import { revertWords } from "../revert-words.ts"
import { balanceOf } from "../token-calls.ts"
import type { TokenCheck } from "../token-check.ts"
import type { SlotFinder } from "../token-slots.ts"
import { type TransferTaxes, taxOf } from "../transfer-taxes.ts"

type Hex = `0x${string}`

/** Of `solidity/TransferProbe.sol`. */
const probeAbi = parseAbi([
  "struct Step { uint256 sent; uint256 received; bool isRefused; bytes reason; }",
  "function pass(address token, address[] path, uint256 amount) returns (Step[])",
  "function give(address token, address to, uint256 amount) returns (Step)"
])

const CODE = compiled.transferProbe as Hex

/** Somebody who has no tokens, and whom no token knows. */
const TAKER: Hex = "0x5117a9e0000000000000000000000000000beef1"

/** So much of what the pool has is passed on: tokens limit what one transfer may move. */
const SHARE = 10_000n
/** With fewer raw units a tax of a hundredth is not seen exactly. */
const LEAST = 1_000_000n

/** Where a token is checked. */
export interface CheckedPlace {
  readonly token: Hex
  /** contract that holds the pool's tokens */
  readonly pool: Hex
  readonly router: Hex
}

interface Step {
  readonly sent: bigint
  readonly received: bigint
  readonly isRefused: boolean
  readonly reason: Hex
}

/** Passes an amount along a path, on paper; null where the node answers no list of steps. */
const pass = (
  node: ChainNode,
  token: Hex,
  path: ReadonlyArray<Hex>,
  amount: bigint,
  assumed: StateOverrides = {}
): Effect.Effect<ReadonlyArray<Step> | null, RpcError> => {
  const [from] = path as readonly [Hex]
  const args = [token, path, amount] as const
  const data = encodeFunctionData({ abi: probeAbi, functionName: "pass", args })
  const overrides: StateOverrides = {
    ...assumed,
    ...Object.fromEntries(path.map(holder => [holder, { code: CODE }]))
  }
  return Effect.map(node.call({ from, to: from, data, value: 0n }, overrides), answer =>
    readResult(probeAbi, "pass", answer)
  )
}

const taxIn = ({ sent, received }: Step): number => taxOf(sent, received)

/** A transfer that was refused, or of which nothing arrived, in words; null where it went. */
const refusal = (step: Step | undefined): string | null => {
  if (step === undefined || (!step.isRefused && step.received > 0n)) return null
  return step.isRefused ? revertWords(step.reason) : "nothing of it arrives"
}

/**
 * Whether somebody who had the token before can sell it: tokens that forbid to sell in the block of
 * the purchase are none that cannot be sold. Null where the token hides its balances.
 */
const soldLater =
  ({ token, pool, router }: CheckedPlace, node: ChainNode, finder: SlotFinder) =>
  (amount: bigint): Effect.Effect<ReadonlyArray<Step> | null, RpcError> =>
    Effect.flatMap(finder.assume(token, TAKER, router, amount), ({ overrides, what }) =>
      what.includes("balance")
        ? pass(node, token, [TAKER, router, pool], amount, overrides)
        : Effect.succeed(null)
    )

const taxesOf = (buy: ReadonlyArray<Step>, sell: ReadonlyArray<Step>): TransferTaxes | null => {
  const [fromPool, toTaker] = buy
  const [fromTaker, toPool] = sell
  if (!fromPool || !toTaker || !fromTaker || !toPool) return null
  return {
    ...{ fromPool: taxIn(fromPool), toTaker: taxIn(toTaker) },
    ...{ fromTaker: taxIn(fromTaker), toPool: taxIn(toPool) }
  }
}

const unknown = (reason: string): TokenCheck => ({ state: "unknown", reason })

/** Tries the token's transfers on the newest block. */
export const checkTransfers = (
  node: ChainNode,
  place: CheckedPlace,
  finder: SlotFinder
): Effect.Effect<TokenCheck, RpcError> =>
  Effect.gen(function* () {
    const { token, pool, router } = place
    const held = yield* balanceOf(node, token, pool)
    const amount = (held ?? 0n) / SHARE
    if (amount < LEAST) return unknown("the pool has too little of it")
    const steps = yield* pass(node, token, [pool, router, TAKER, router, pool], amount)
    if (steps === null) return unknown("what the node answers does not read")
    const [buy, sell] = [steps.slice(0, 2), steps.slice(2)]
    const unbought = buy.map(refusal).find(words => words !== null)
    if (unbought) return { state: "refuses", on: "buy", reason: unbought }
    const unsold = sell.map(refusal).find(words => words !== null)
    const later = unsold ? yield* soldLater(place, node, finder)(amount) : null
    const refused = later === null ? unsold : later.map(refusal).find(words => words !== null)
    if (refused) return { state: "refuses", on: "sell", reason: refused }
    const taxes = taxesOf(buy, later ?? sell)
    return taxes === null ? unknown("its transfers end early") : { state: "moves", taxes }
  })
