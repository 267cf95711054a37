/**
 * Where a token keeps balances and allowances, found by trying: a word is put into a slot on paper,
 * and the token asked whether it sees it. So a swap can be run as if the taker had the input and
 * had approved it. Solidity keeps an entry of a mapping at the hash of key and slot, Vyper at that
 * of slot and key; upgradeable tokens of OpenZeppelin 5 begin at a slot of their own (ERC-7201).
 */
import { Effect } from "effect"
import { encodeAbiParameters, keccak256 } from "viem"
import type { RpcError } from "../../src/platform/rpc-error.ts"
import type { ChainNode, StateOverrides } from "./chain-node.ts"
import { allowanceOf, balanceOf } from "./token-calls.ts"

type Hex = `0x${string}`

/** `openzeppelin.storage.ERC20` by ERC-7201 (OpenZeppelin contracts 5, ERC20Upgradeable). */
const OPEN_ZEPPELIN = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n
/** Slots of mappings that tokens are tried for. */
const PLAIN_SLOTS = 24
/** A word that no balance is by chance. */
const MARK = 0x5117_7a9e_0000_0000_0000_0000_0000_0000n + 0xbeefn

/** Where an entry of a mapping at a slot lies. */
type Layout = (key: Hex, slot: Hex) => Hex

const words = (a: Hex, aType: string, b: Hex, bType: string): Hex =>
  keccak256(encodeAbiParameters([{ type: aType }, { type: bType }], [a, b]))

const solidity: Layout = (key, slot) => words(key, "address", slot, "bytes32")
const vyper: Layout = (key, slot) => words(slot, "bytes32", key, "address")

const wordText = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`

/** Slots of balances; the mapping of allowances is tried at each of them, too. */
const SLOTS: ReadonlyArray<Hex> = [
  ...Array.from({ length: PLAIN_SLOTS }, (_, slot) => wordText(BigInt(slot))),
  wordText(OPEN_ZEPPELIN),
  wordText(OPEN_ZEPPELIN + 1n)
]

const LAYOUTS: ReadonlyArray<Layout> = [solidity, vyper]

interface Mapping {
  readonly layout: Layout
  readonly slot: Hex
}

/** How a token keeps things; null of what was not found. */
interface TokenSlots {
  readonly balances: Mapping | null
  readonly allowances: Mapping | null
}

const allowanceSlot = ({ layout, slot }: Mapping, holder: Hex, spender: Hex): Hex =>
  layout(spender, layout(holder, slot))

/** The first mapping of which the token reads the mark where it was put. */
const firstSeen = (
  reads: (mapping: Mapping) => Effect.Effect<bigint | null, RpcError>
): Effect.Effect<Mapping | null, RpcError> =>
  Effect.gen(function* () {
    const mappings = LAYOUTS.flatMap(layout => SLOTS.map(slot => ({ layout, slot })))
    const seen = yield* Effect.forEach(mappings, reads, { concurrency: 8 })
    return mappings.find((_, i) => seen[i] === MARK) ?? null
  })

/** A node that answers with a slot of a token changed. */
const marked = (node: ChainNode, token: Hex, slot: Hex): ChainNode => ({
  ...node,
  call: call => node.call(call, { [token]: { stateDiff: { [slot]: wordText(MARK) } } })
})

const findSlots = (node: ChainNode, token: Hex, holder: Hex, spender: Hex) =>
  Effect.gen(function* () {
    const balances = yield* firstSeen(({ layout, slot }) =>
      balanceOf(marked(node, token, layout(holder, slot)), token, holder)
    )
    const allowances = yield* firstSeen(mapping =>
      allowanceOf(
        marked(node, token, allowanceSlot(mapping, holder, spender)),
        token,
        holder,
        spender
      )
    )
    return { balances, allowances } satisfies TokenSlots
  })

export interface Assumed {
  readonly overrides: StateOverrides
  /** what is taken for granted; a token may hide where it keeps the other */
  readonly what: ReadonlyArray<"balance" | "allowance">
}

/** So many tokens are remembered. */
const MOST_TOKENS = 4096

/** Finds slots once a token. */
export class SlotFinder {
  private readonly node: ChainNode
  private readonly known = new Map<string, TokenSlots>()

  constructor(node: ChainNode) {
    this.node = node
  }

  private slotsOf(token: Hex, holder: Hex, spender: Hex) {
    return Effect.suspend((): Effect.Effect<TokenSlots, RpcError> => {
      const known = this.known.get(token)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(findSlots(this.node, token, holder, spender), slots => {
        if (this.known.size >= MOST_TOKENS) this.known.clear()
        this.known.set(token, slots)
        return slots
      })
    })
  }

  /** What makes a holder have so much of a token, and a spender be allowed to take it. */
  assume(token: Hex, holder: Hex, spender: Hex, amount: bigint): Effect.Effect<Assumed, RpcError> {
    return Effect.map(this.slotsOf(token, holder, spender), ({ balances, allowances }) => {
      const word = wordText(amount)
      const stateDiff = {
        ...(balances === null ? {} : { [balances.layout(holder, balances.slot)]: word }),
        ...(allowances === null ? {} : { [allowanceSlot(allowances, holder, spender)]: word })
      }
      const what = [
        ...(balances === null ? [] : (["balance"] as const)),
        ...(allowances === null ? [] : (["allowance"] as const))
      ]
      return { overrides: { [token]: { stateDiff } }, what }
    })
  }
}

const finders = new WeakMap<ChainNode, SlotFinder>()

/** The finder of a node, which remembers what it found. */
export const finderOf = (node: ChainNode): SlotFinder => {
  const finder = finders.get(node) ?? new SlotFinder(node)
  finders.set(node, finder)
  return finder
}
