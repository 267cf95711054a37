/** Which of several tellers of one thing is believed, and what is refused: made by hand. */
import { describe, expect, it } from "vitest"
import { decodeTransaction } from "./decode-transaction.ts"
import {
  A,
  B,
  created,
  graduated,
  liquidity,
  madeCall,
  madeEvent,
  OWNER,
  POOL,
  POSITION,
  toldOf,
  VAULT_A,
  VAULT_B
} from "./made-pool-events.ts"
import {
  addressOf,
  dataLog,
  type Field,
  type MadeInstruction,
  made,
  payloadOf,
  telling
} from "./made-transaction.ts"
import { meteoraDammV2 } from "./meteora-damm-v2/venue.ts"
import { meteoraDbc } from "./meteora-dbc/venue.ts"
import { TOKEN } from "./moves.ts"
import { orcaWhirlpool } from "./orca-whirlpool/venue.ts"
import { pumpswap } from "./pumpswap/venue.ts"
import { raydiumAmmV4 } from "./raydium-amm-v4/venue.ts"
import { raydiumCpmm } from "./raydium-cpmm/venue.ts"
import { raydiumLaunchlab } from "./raydium-launchlab/venue.ts"
import { venuesByProgram } from "./venues.ts"

const NO_MINTS = { mints: [null, null] }
const SHORT = "an event is shorter than its layout"

const initialize = madeCall(
  orcaWhirlpool,
  "5fb40aac54aee828",
  { 1: A, 2: B, 4: POOL },
  payloadOf("5fb40aac54aee828", 27, [[9, 64, 2]])
)
const initialized: ReadonlyArray<Field> = [
  [8, POOL],
  [72, A],
  [104, B],
  [136, 8, 2]
]
const poolInitialized = (bytes = 220, by = initialize) =>
  madeEvent(orcaWhirlpool, "6476ad570cc6fee5", bytes, initialized, by)

it("tells a creation once: by its event, else by the instruction", () => {
  expect(toldOf(poolInitialized()).told).toEqual([["PoolInitialized", created({ spacing: 8 })]])
  expect(toldOf(initialize).told).toEqual([["initialize_pool", created({ spacing: 64 })]])
})

it("refuses an event that ends too early, and takes the instruction's word then", () => {
  expect(toldOf(poolInitialized(137))).toEqual({
    told: [["initialize_pool", created({ spacing: 64 })]],
    refused: [SHORT]
  })
})

it("leaves unknown what data that is too short would tell", () => {
  const short = { ...initialize, data: payloadOf("5fb40aac54aee828", 10, []) }
  expect(toldOf(short).told).toEqual([["initialize_pool", created()]])
})

it("refuses a creation of which an account is missing", () => {
  const short = { ...initialize, accounts: initialize.accounts.slice(0, 4) }
  expect(toldOf(short)).toEqual({
    told: [],
    refused: ["an account of the instruction is missing"]
  })
})

it("fills nothing in where event and instruction name two pools", () => {
  const other = { ...initialize, accounts: initialize.accounts.with(4, OWNER) }
  const event = madeEvent(orcaWhirlpool, "1e0790b566fe9ba1", 128, [
    [8, POOL],
    [40, POSITION],
    [96, 7n],
    [104, 8n]
  ])
  const by = madeCall(orcaWhirlpool, "2e9cf3760dcdfbb2", { 0: B, 2: OWNER })
  expect(toldOf(poolInitialized(220, other)).told).toEqual([
    ["PoolInitialized", created({ spacing: 8 })]
  ])
  expect(toldOf({ ...by, ...(event.logs ? { logs: event.logs } : {}) }).told).toEqual([
    ["LiquidityIncreased", liquidity(7n, 8n, { owner: null, ...NO_MINTS })]
  ])
})

const deposit = payloadOf("78f83d531f8e6b90", 256, [
  [56, 70n],
  [64, 80n],
  [72, 7n],
  [80, 8n],
  [96, POOL],
  [128, OWNER]
])
const depositing = madeCall(pumpswap, "f223c68952e1f2b6", {})
const told = telling(pumpswap, deposit)
const once = [
  ["DepositEvent", liquidity(7n, 8n, { position: null, before: [70n, 80n], ...NO_MINTS })]
]

it.each([
  ["by log and by call", [told], [dataLog(deposit)], once],
  ["twice, of which the log keeps one", [told, told], [dataLog(deposit)], [...once, ...once]],
  ["of another program", [{ ...told, program: "somebody" }], [], []]
])("tells a deposit %s", (_, calls, logs, expected) => {
  expect(toldOf({ ...depositing, calls, logs })).toEqual({ told: expected, refused: [] })
})

/** Of 10^9; the second is no whole number of millionths. */
it.each([
  [2_500_000n, 2_500],
  [2_500_001n, null]
])("tells a fee in millionths where it is a whole number of them: %s", (numerator, fee) => {
  const event = madeEvent(meteoraDammV2, "e432f655cb428625", 324, [
    [8, POOL],
    [40, A],
    [72, B],
    [200, numerator]
  ])
  expect(toldOf(event).told).toEqual([["EvtInitializePool", created({ fee })]])
})

it.each([
  ["Raydium CPMM", madeEvent(raydiumCpmm, "79a3cdc939da753c", 97, [[96, 2, 1]])],
  ["Meteora DAMM v2", madeEvent(meteoraDammV2, "c5ab4e7fe0d3570d", 185, [[184, 2, 1]])]
])("refuses changes of %s that are neither deposit nor withdrawal", (_, instruction) => {
  expect(toldOf(instruction)).toEqual({
    told: [],
    refused: ["an event is of an unknown kind"]
  })
})

it("names the token of a curve that a swap completed", () => {
  const swap = madeCall(meteoraDbc, "414b3f4ceb5b5b88", {
    2: POOL,
    5: "base",
    6: "quote",
    7: A,
    8: B
  })
  const swapped: ReadonlyArray<Field> = [
    [8, POOL],
    [72, 1, 1],
    [91, 100n],
    [99, 95n],
    [115, 70n]
  ]
  const traded = madeEvent(meteoraDbc, "bd4233a826507599", 187, swapped, swap)
  const complete = madeEvent(meteoraDbc, "e5e756549c864b18", 88, [[8, POOL]], traded)
  expect(toldOf(complete).told).toEqual([["EvtCurveComplete", graduated({})]])
  const venues = venuesByProgram
  const { swaps, counts } = decodeTransaction(made({ instructions: [complete] }), venues)
  expect(swaps).toHaveLength(1)
  expect(counts.get(9)).toEqual({ events: 1, noParent: 0, otherEvents: 1 })
})

it.each([0, 1, 2])("takes a trade for a curve's last one by the pool's status: %i", status => {
  const buy = madeCall(raydiumLaunchlab, "faea0d7bd59c13ec", { 4: POOL, 9: A, 10: B })
  const trade: ReadonlyArray<Field> = [
    [8, POOL],
    [145, status, 1]
  ]
  const last = madeEvent(raydiumLaunchlab, "bddb7fd34ee661ee", 147, trade, buy)
  expect(toldOf(last).told).toEqual(status === 1 ? [["TradeEvent", graduated({})]] : [])
})

it("refuses a trade once whose event ends too early", () => {
  const named = { 4: POOL, 7: "base", 8: "quote", 9: A, 10: B }
  const buy = madeCall(raydiumLaunchlab, "faea0d7bd59c13ec", named)
  const short = madeEvent(raydiumLaunchlab, "bddb7fd34ee661ee", 137, [[8, POOL]], buy)
  expect(toldOf(short)).toEqual({ told: [], refused: [SHORT] })
})

it("counts no event where an instruction alone tells a creation, and none of a failure", () => {
  const opening = madeCall(raydiumAmmV4, "01", { 4: POOL, 8: A, 9: B })
  const venues = venuesByProgram
  const decoded = (failed: boolean) =>
    decodeTransaction(made({ instructions: [opening], failed }), venues)
  expect(decoded(false)).toMatchObject({
    poolEvents: [{ event: "initialize2" }],
    counts: new Map()
  })
  expect(decoded(true).poolEvents).toEqual([])
})

describe("who takes liquidity out of a pool that lists its wallet nowhere", () => {
  const [SHARES, OTHER_SHARES] = [addressOf(31), addressOf(32)]
  const burnOf = (account: string): MadeInstruction => ({
    program: TOKEN,
    accounts: [account, addressOf(33), OWNER],
    data: payloadOf("08", 9, [[1, 5n]])
  })

  /** Owners of what withdrawals burn, of accounts that nodes tell as these wallets'. */
  const ownersOf = (
    burnt: ReadonlyArray<string>,
    owners: { readonly [account: string]: string }
  ) => {
    const calling = madeCall(raydiumAmmV4, "04", { 1: POOL, 6: VAULT_A, 7: VAULT_B })
    const event = madeEvent(raydiumAmmV4, "02", 89, [[73, 7n]], calling)
    const one = made({ instructions: [{ ...event, calls: burnt.map(burnOf) }] })
    const held = { mint: addressOf(33), decimals: 6, program: null, before: 9n, after: 4n }
    const tokenBalances = new Map(
      Object.entries(owners).map(([account, owner]) => [account, { ...held, owner }] as const)
    )
    const { poolEvents } = decodeTransaction({ ...one, tokenBalances }, venuesByProgram)
    return poolEvents.map(({ facts }) => (facts.kind === "liquidity" ? facts.owner : facts.kind))
  }

  it("is who owned the shares that were burnt, and nobody where that is not told", () => {
    const owners = { [SHARES]: OWNER, [OTHER_SHARES]: addressOf(34) }
    expect(ownersOf([SHARES], owners)).toEqual([OWNER])
    expect(ownersOf([SHARES], {})).toEqual([null])
    expect(ownersOf([], owners)).toEqual([null])
    expect(ownersOf([SHARES, OTHER_SHARES], owners)).toEqual([null])
  })
})
