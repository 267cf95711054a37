/** Events told twice, once or not at all, and what is no event: transactions made by hand. */
import { expect, it } from "vitest"
import { aggregatorOf } from "./aggregators.ts"
import { decodeTransaction } from "./decode-transaction.ts"
import {
  accountsOf,
  addressOf,
  callOf,
  dataLog,
  type Field,
  lamportsOf,
  type Made,
  type MadeInstruction,
  made,
  payloadOf,
  telling,
  transferOf
} from "./made-transaction.ts"
import { meteoraDammV2 } from "./meteora-damm-v2/venue.ts"
import { meteoraDbc } from "./meteora-dbc/venue.ts"
import { meteoraDlmm } from "./meteora-dlmm/venue.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { pumpfun } from "./pumpfun/venue.ts"
import { raydiumAmmV4 } from "./raydium-amm-v4/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { pathText } from "./transaction.ts"
import { venuesByProgram as venues } from "./venues.ts"

const [POOL, OTHER_POOL] = [addressOf(1), addressOf(2)]

const decoded = (parts: Made) => {
  const { swaps, refusals, counts } = decodeTransaction(made(parts), venues)
  const [one] = [...counts.values()]
  return {
    swaps: swaps.map(swap => [
      swap.event,
      swap.pool,
      swap.in.vault,
      swap.in.amount,
      swap.out.amount
    ]),
    refusals: refusals.map(({ path, reason }) => [pathText(path), reason]),
    counts: one === undefined ? null : [one.events, one.noParent, one.otherEvents]
  }
}

const damm = callOf(
  meteoraDammV2,
  "f8c69e91e17587c8",
  accountsOf(14, { 1: POOL, 4: "vault A", 5: "vault B" })
)
const evtSwap = (pool = POOL, more = 0) =>
  payloadOf("1b3c15d58aaabb93", 130 + more, [
    [8, pool],
    [58, 70n],
    [114, 100n]
  ])
const evtSwap2 = payloadOf("bd4233a826507599", 188, [
  [8, POOL],
  [60, 100n],
  [68, 100n],
  [84, 70n]
])

it.each([
  ["both", [evtSwap(), evtSwap2], "EvtSwap2"],
  ["both, the other way round", [evtSwap2, evtSwap()], "EvtSwap2"],
  ["the new one", [evtSwap2], "EvtSwap2"],
  ["the old one", [evtSwap()], "EvtSwap"],
  ["one that has grown", [evtSwap(POOL, 9)], "EvtSwap"]
])("Meteora DAMM v2: %s", (_, payloads, event) => {
  const calls = payloads.map(payload => telling(meteoraDammV2, payload))
  expect(decoded({ instructions: [{ ...damm, calls }] })).toEqual({
    swaps: [[event, POOL, "vault A", 100n, 70n]],
    refusals: [],
    counts: [payloads.length, 0, 0]
  })
})

it.each([
  ["an event of another pool", evtSwap(OTHER_POOL), "an event is of another pool"],
  ["a short event", evtSwap().subarray(0, 129), "an event is shorter than its layout"]
])("refuses %s", (_, payload, reason) => {
  const calls = [telling(meteoraDammV2, payload)]
  expect(decoded({ instructions: [{ ...damm, calls }] })).toEqual({
    swaps: [],
    refusals: [["0", reason]],
    counts: [1, 0, 0]
  })
})

it("believes no call of another program, nor one with another account", () => {
  const event = telling(meteoraDammV2, evtSwap2)
  const calls = [
    { ...event, program: "somebody" },
    { ...event, accounts: ["not the authority"] }
  ]
  expect(decoded({ instructions: [{ ...damm, calls }] })).toEqual({
    swaps: [],
    refusals: [["0", "neither an event nor transfers tell the amounts"]],
    counts: null
  })
})

it("counts an event that no swap instruction told", () => {
  const unknown = { ...damm, data: payloadOf("0102030405060708", 8, []) }
  const calls = [telling(meteoraDammV2, evtSwap2)]
  expect(decoded({ instructions: [{ ...unknown, calls }] })).toEqual({
    swaps: [],
    refusals: [],
    counts: [1, 1, 0]
  })
})

it("finds nothing in a failed transaction", () => {
  const calls = [telling(meteoraDammV2, evtSwap2)]
  expect(decoded({ instructions: [{ ...damm, calls }], failed: true })).toEqual({
    swaps: [],
    refusals: [],
    counts: null
  })
})

const DBC_AMOUNTS: ReadonlyArray<readonly [string, number, bigint, bigint]> = [
  // a buy with its fee on the input: the referral of 200 leaves at once
  ["fee of the input", 1, 99_800n, 70n],
  ["fee of the output", 0, 100_000n, 270n]
]

it.each(DBC_AMOUNTS)("Meteora DBC: %s", (_, direction, amountIn, amountOut) => {
  const event = payloadOf("bd4233a826507599", 187, [
    [8, POOL],
    [72, direction, 1],
    [91, 100_000n],
    [99, direction === 1 ? 95_000n : 100_000n],
    [115, 70n],
    [155, 200n]
  ])
  const vault = direction === 1 ? "quote" : "base"
  const swap = callOf(
    meteoraDbc,
    "414b3f4ceb5b5b88",
    accountsOf(15, { 2: POOL, 5: "base", 6: "quote" })
  )
  expect(
    decoded({ instructions: [{ ...swap, calls: [telling(meteoraDbc, event)] }] }).swaps
  ).toEqual([["EvtSwap2", POOL, vault, amountIn, amountOut]])
})

const dlmmFields = (event: "Swap" | "Swap2Evt"): ReadonlyArray<Field> =>
  event === "Swap"
    ? [
        [8, POOL],
        [80, 100n],
        [88, 70n],
        [96, 1, 1]
      ]
    : [
        [8, POOL],
        [80, 1, 1],
        [97, 100n],
        [113, 70n]
      ]
const dlmmEvent = {
  Swap: payloadOf("516ce3becdd00ac4", 137, dlmmFields("Swap")),
  Swap2Evt: payloadOf("2e7452d7941b544d", 155, dlmmFields("Swap2Evt"))
}

it.each([
  [["Swap", "Swap2Evt"], "Swap"],
  [["Swap2Evt", "Swap"], "Swap"],
  [["Swap"], "Swap"],
  [["Swap2Evt"], "Swap2Evt"]
] as const)("Meteora DLMM: %j", (told, event) => {
  const swap = callOf(meteoraDlmm, "414b3f4ceb5b5b88", accountsOf(16, { 0: POOL, 2: "X", 3: "Y" }))
  const calls = told.map(name => telling(meteoraDlmm, dlmmEvent[name]))
  expect(decoded({ instructions: [{ ...swap, calls }] })).toEqual({
    swaps: [[event, POOL, "X", 100n, 70n]],
    refusals: [],
    counts: [told.length, 0, 0]
  })
})

const trade = payloadOf("bddb7fd34ee661ee", 129, [
  [40, 500n],
  [48, 7_000n],
  [56, 1, 1]
])
const buy = {
  ...callOf(
    pumpfun,
    "66063d1201daebea",
    accountsOf(12, { 3: "curve", 4: "tokens", 5: "mine", 6: "me" })
  ),
  calls: [transferOf("tokens", "mine", 7_000n), lamportsOf("me", "curve", 500n)]
}
const told = telling(pumpfun, trade)

it.each([
  ["by log and by call", [told], [dataLog(trade)], "TradeEvent", 2],
  ["by log", [], [dataLog(trade)], "TradeEvent", 1],
  ["by call", [told], [], "TradeEvent", 1],
  ["by transfers alone", [], [], null, 0]
])("Pump.fun: %s", (_, calls, logs, event, events) => {
  const instruction = { ...buy, calls: [...buy.calls, ...calls], logs }
  expect(decoded({ instructions: [instruction] })).toEqual({
    swaps: [[event, "curve", "curve", 500n, 7_000n]],
    refusals: [],
    counts: events === 0 ? null : [events, 0, 0]
  })
})

it("believes no log of the program that made the call", () => {
  const router = { program: "router", accounts: [], data: new Uint8Array(1) }
  const instructions = [{ ...router, calls: [buy], logs: [dataLog(trade)] }]
  expect(decoded({ instructions }).swaps).toEqual([[null, "curve", "curve", 500n, 7_000n]])
})

const traded = (pool: string, input: bigint, output: bigint) =>
  dataLog(
    payloadOf("e1ca49af932ba096", 121, [
      [8, pool],
      [40, 1, 1],
      [73, input],
      [81, output]
    ])
  )
const twoHops = {
  ...callOf(
    orcaWhirlpool,
    "c360ed6c44a2dbe6",
    accountsOf(20, { 2: POOL, 3: OTHER_POOL, 5: "1A", 7: "1B", 9: "2A", 11: "2B" })
  ),
  calls: [
    transferOf("me", "1A", 100n),
    transferOf("1B", "me", 70n),
    transferOf("me", "2A", 70n),
    transferOf("2B", "me", 40n)
  ],
  logs: [traded(POOL, 100n, 70n), traded(OTHER_POOL, 70n, 40n)]
}

it.each([
  ["all of the log", Number.POSITIVE_INFINITY, ["Traded", "Traded"]],
  // one line for the instruction, two for each of its transfers
  ["the first event alone", 10, ["Traded", null]],
  ["no log", 1, [null, null]]
])("Orca's two hops with %s", (_, logLines, events) => {
  expect(decoded({ instructions: [twoHops], logLines }).swaps).toEqual([
    [events[0], POOL, "1A", 100n, 70n],
    [events[1], OTHER_POOL, "2A", 70n, 40n]
  ])
})

it("finds the vaults of Raydium's router by the amounts of its events", () => {
  const event = (pool: string, amount0: bigint, amount1: bigint) =>
    dataLog(
      payloadOf("40c6cde8260871e2", 205, [
        [8, pool],
        [136, amount0],
        [152, amount1],
        [168, 1, 1]
      ])
    )
  const router = {
    ...callOf(raydiumClmm, "457d73daf5baf2c4", accountsOf(20, {})),
    calls: twoHops.calls,
    logs: [event(POOL, 100n, 70n), event(OTHER_POOL, 70n, 40n)]
  }
  const both = [
    ["SwapEvent", POOL, "1A", 100n, 70n],
    ["SwapEvent", OTHER_POOL, "2A", 70n, 40n]
  ]
  expect(decoded({ instructions: [router] }).swaps).toEqual(both)
  // payments of the same amounts are not the pool's, whose vaults balances tell
  const paying = {
    ...router,
    calls: [transferOf("me", "friend", 100n), transferOf("other", "me", 70n), ...router.calls]
  }
  const owners = { "1A": POOL, "1B": POOL, "2A": OTHER_POOL, friend: "friend", other: "other" }
  const tokens = Object.fromEntries(
    Object.entries(owners).map(([one, owner]) => [one, ["mint", 9n, 9n, owner] as const])
  )
  const { swaps } = decodeTransaction(made({ instructions: [paying], tokens }), venues)
  expect(swaps.map(({ pool, in: into, out }) => [pool, into.vault, out.vault])).toEqual([
    [POOL, "1A", "1B"],
    [OTHER_POOL, "2A", "2B"]
  ])
})

it.each([17, 18])("Raydium AMM v4 with %i accounts and type 4", count => {
  const log = payloadOf("04", 57, [
    [1, 999n],
    [9, 70n],
    [17, 2n],
    [33, 1_000n],
    [41, 2_000n],
    [49, 100n]
  ])
  const listed = accountsOf(count, { 1: POOL, [count - 13]: "coin", [count - 12]: "pc" })
  const swap = {
    ...callOf(raydiumAmmV4, "0b", listed),
    logs: [`Program log: ray_log: ${Buffer.from(log).toString("base64")}`]
  }
  const { swaps } = decodeTransaction(made({ instructions: [swap] }), venues)
  expect(
    swaps.map(({ event, in: { vault, amount }, after }) => [event, vault, amount, after])
  ).toEqual([["SwapBaseOut", "coin", 100n, { kind: "reserves", in: 1_100n, out: 1_930n }]])
})

it("names who traded, and through which aggregator", () => {
  const owned = (user: string): MadeInstruction => ({
    ...buy,
    accounts: buy.accounts.with(6, user),
    calls: [...buy.calls, told]
  })
  const jupiter = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4"
  const routed = { program: jupiter, accounts: [], data: new Uint8Array(1), calls: [owned("pda")] }
  const transaction = made({ instructions: [owned("payer"), routed] })
  const { swaps } = decodeTransaction(transaction, venues)
  expect(
    swaps.map(({ path, user, trader }) => [path, user, trader, aggregatorOf(transaction, path)])
  ).toEqual([
    [0, "payer", "payer", null],
    [257, "pda", "payer", "jupiter-v6"]
  ])
})
