import { expect, it } from "vitest"
import type { Address } from "../../src/domain/address.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { random } from "../../test/support/random.ts"
import type { Event, EventFields, TxRef } from "../event.ts"
import { batchOf } from "../event-objects.ts"
import { Attribution, attributions } from "./attribution.ts"

const address = (byte: string): Address => `0x${byte.repeat(20)}` as Address
const [EOA, ROUTER, SETTLEMENT, ENTRY, OTHER_ENTRY] = ["0e", "01", "02", "03", "04"].map(address)
const VAULT = address("05")
const [ACCOUNT, SECOND, PAYMASTER, POOL, POOL_2, STRANGER] = [
  "aa",
  "ab",
  "ac",
  "b0",
  "b1",
  "c0"
].map(address)

const chain = {
  ...testChain,
  routers: [ROUTER as Address],
  settlements: [SETTLEMENT as Address],
  entryPoints: [ENTRY as Address, OTHER_ENTRY as Address]
}

const block = { number: 7, time: 70, hash: null, parentHash: null }
const tx = (to: string | null | undefined, from: string | null | undefined = EOA): TxRef => ({
  hash: `0x${"11".repeat(32)}`,
  index: 0,
  from: from ?? null,
  to: to ?? null
})

const swap = (fields: Partial<EventFields<"SwapExecuted">> = {}) => ({
  kind: "SwapExecuted" as const,
  pool: POOL as string,
  venueKind: "uniswap-v2",
  sender: STRANGER as string,
  recipient: STRANGER as string,
  amount0In: 5n,
  amount0Out: 0n,
  amount1In: 0n,
  amount1Out: 9n,
  sqrtPriceX96: null,
  liquidity: null,
  tick: null,
  fee: null,
  token0: null,
  token1: null,
  index0: null,
  index1: null,
  ...fields
})
const begun = (entryPoint = ENTRY as string) => ({ kind: "OperationsBegun" as const, entryPoint })
const executed = (fields: Partial<EventFields<"OperationExecuted">> = {}) => ({
  kind: "OperationExecuted" as const,
  entryPoint: ENTRY as string,
  account: ACCOUNT as string,
  paymaster: null,
  succeeded: 1,
  ...fields
})

type Told = ReturnType<typeof swap> | ReturnType<typeof begun> | ReturnType<typeof executed>

/** Of each swap of one transaction: how, and the wallet. */
const attributed = (of: TxRef | null, told: ReadonlyArray<Told>, on = chain) => {
  const sealed = { kind: "BlockSealed", block, tx: null, logIndex: 0, logs: 1, grade: "file" }
  const events = told.map((event, logIndex) => ({ ...event, block, tx: of, logIndex }))
  const batch = batchOf([...events, sealed] as ReadonlyArray<Event>)
  const attribution = new Attribution(on)
  return told.flatMap((event, i) => {
    if (event.kind !== "SwapExecuted") return []
    attribution.look(batch, i)
    return [[attributions[attribution.how], batch.ids.text(attribution.wallet)]]
  })
}

it("gives the sender what it called for itself, got itself, or sent through a router", () => {
  expect(attributed(tx(STRANGER), [swap({ recipient: EOA as string })])).toEqual([["direct", EOA]])
  expect(attributed(tx(POOL), [swap({ sender: EOA as string })])).toEqual([["direct", EOA]])
  expect(attributed(tx(EOA), [swap()])).toEqual([["direct", EOA]])
  expect(attributed(tx(ROUTER), [swap(), swap({ pool: POOL_2 as string })])).toEqual([
    ["router", EOA],
    ["router", EOA]
  ])
})

it("gives the sender who called a vault that tells no caller the swaps of its pools", () => {
  const vault = {
    ...chain,
    venues: [{ id: "balancer_v2", kind: "balancer-v2", factory: VAULT as Address }]
  }
  const inVault = swap({ venueKind: "balancer-v2" })
  expect(attributed(tx(VAULT), [inVault, swap()], vault)).toEqual([
    ["direct", EOA],
    ["unknown-contract", null]
  ])
  expect(attributed(tx(STRANGER), [inVault], vault)).toEqual([["unknown-contract", null]])
  expect(attributed(tx(VAULT), [inVault])).toEqual([["unknown-contract", null]])
})

it("gives nobody what it cannot prove", () => {
  expect(attributed(tx(STRANGER), [swap()])).toEqual([["unknown-contract", null]])
  expect(attributed(tx(null), [swap()])).toEqual([["unknown-contract", null]])
  expect(attributed(null, [swap()])).toEqual([["no-transaction", null]])
  expect(attributed({ ...tx(ROUTER), from: null }, [swap()])).toEqual([["no-transaction", null]])
  expect(attributed(tx(SETTLEMENT), [swap({ recipient: EOA as string })])).toEqual([
    ["settlement", null]
  ])
})

it("gives the last of a pool's swaps the same way to the trader, and no earlier one", () => {
  const back = swap({ amount0In: 0n, amount1In: 3n })
  expect(attributed(tx(ROUTER), [swap(), back, swap()])).toEqual([
    ["swapped-again", null],
    ["router", EOA],
    ["router", EOA]
  ])
  const bins = [swap({ venueKind: "liquidity-book" }), swap({ venueKind: "liquidity-book" })]
  expect(attributed(tx(ROUTER), bins)).toEqual([
    ["router", EOA],
    ["router", EOA]
  ])
  // other coins of the same pool
  const coins = [swap({ index0: 0, index1: 1 }), swap({ index0: 1, index1: 2 })]
  expect(attributed(tx(ROUTER), coins).map(([how]) => how)).toEqual(["router", "router"])
})

it("takes no hook's swap for the trader's", () => {
  const v4 = (sender: string | undefined, pool: string | undefined) =>
    swap({ venueKind: "uniswap-v4", sender: sender as string, pool: pool as string })
  expect(attributed(tx(ROUTER), [v4(ROUTER, POOL), v4(STRANGER, POOL_2)])).toEqual([
    ["router", EOA],
    ["unknown-caller", null]
  ])
  // a router's executor, alone
  expect(attributed(tx(ROUTER), [v4(STRANGER, POOL), v4(STRANGER, POOL_2)])).toEqual([
    ["router", EOA],
    ["router", EOA]
  ])
})

it("gives each operation of a bundle its account's swaps", () => {
  const told = [
    begun(),
    swap(),
    executed(),
    executed({ account: STRANGER as string }),
    swap(),
    swap({ pool: POOL_2 as string }),
    executed({ account: SECOND as string })
  ]
  const found = [
    ["entry-point", ACCOUNT],
    ["entry-point", SECOND],
    ["entry-point", SECOND]
  ]
  expect(attributed(tx(ENTRY), told)).toEqual(found)
  // sent by a bundler's contract, or by one that is a router
  expect(attributed(tx(STRANGER), told)).toEqual(found)
  expect(attributed(tx(ROUTER), told)).toEqual(found)
})

it("gives no account what stands outside of its operation", () => {
  const none = [["no-operation", null]]
  expect(attributed(tx(ENTRY), [swap(), begun(), executed()])).toEqual(none)
  expect(attributed(tx(STRANGER), [begun(), executed(), swap()])).toEqual(none)
  expect(attributed(tx(ENTRY), [begun(), swap()])).toEqual(none)
  expect(attributed(tx(ENTRY), [begun(), swap(), executed({ succeeded: 0 })])).toEqual(none)
  const nested = [begun(), begun(OTHER_ENTRY), swap(), executed()]
  expect(attributed(tx(ENTRY), nested)).toEqual(none)
  for (const part of [{ sender: PAYMASTER as string }, { recipient: PAYMASTER as string }]) {
    const paid = executed({ paymaster: PAYMASTER as string })
    expect(attributed(tx(ENTRY), [begun(), swap(part), paid])).toEqual([["paymaster", null]])
  }
})

it("takes a signer's word without a begin in a direct call only", () => {
  expect(attributed(tx(ENTRY), [swap(), executed()])).toEqual([["entry-point", ACCOUNT]])
  expect(attributed(tx(STRANGER), [swap(), executed()])).toEqual([["no-operation", null]])
})

it("does not believe an entry point that the chain's list does not have", () => {
  const strangers = [swap(), executed({ entryPoint: STRANGER as string })]
  expect(attributed(tx(ROUTER), strangers)).toEqual([["router", EOA]])
  // the list of a chain that tells none is ERC-4337's
  const { entryPoints: _, ...silent } = chain
  const canonical = "0x0000000071727de22e5e9d8baf0edac6f37da032"
  const told = [begun(canonical), swap(), executed({ entryPoint: canonical })]
  expect(attributed(tx(canonical), told, silent as typeof chain)).toEqual([
    ["entry-point", ACCOUNT]
  ])
})

it("names the sender, an account whose operation succeeded, or nobody, whatever is told", () => {
  const r = random("attribution")
  const parties = [EOA, ROUTER, SETTLEMENT, ENTRY, ACCOUNT, STRANGER, PAYMASTER] as Array<string>
  for (let run = 0; run < 2000; run++) {
    const told: Array<Told> = Array.from({ length: 1 + r.int(8) }, () => {
      const pick = r.int(6)
      if (pick === 0) return begun(r.pick(parties))
      if (pick === 1) {
        return executed({
          entryPoint: r.pick(parties),
          account: r.pick(parties),
          paymaster: r.pick([null, ...parties]),
          succeeded: r.int(2)
        })
      }
      return swap({
        pool: r.pick([POOL, POOL_2] as Array<string>),
        venueKind: r.pick(["uniswap-v2", "uniswap-v4", "liquidity-book"]),
        sender: r.pick([null, ...parties]),
        recipient: r.pick([null, ...parties])
      })
    })
    const of = tx(r.pick([null, ...parties]))
    const accounts = told.flatMap(event =>
      event.kind === "OperationExecuted" && event.succeeded === 1 ? [event.account] : []
    )
    for (const [how, wallet] of attributed(of, told)) {
      if (wallet === null) expect(["direct", "router", "entry-point"]).not.toContain(how)
      else if (how === "entry-point") expect(accounts).toContain(wallet)
      else expect([how === "direct" || how === "router", wallet]).toEqual([true, EOA])
    }
  }
})
