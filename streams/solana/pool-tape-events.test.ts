/** What liquidity and ends of curves become on the tape, of transactions made by hand. */
import { describe, expect, it } from "vitest"
import { mintsOf } from "./decoded-block.ts"
import { backTo, block, decoded, kinds, newWriter, signature, taken, tapeOf } from "./made-block.ts"
import { madeCall, madeEvent } from "./made-pool-events.ts"
import { addressOf, type Field, type Made, type MadeInstruction, made } from "./made-transaction.ts"
import { meteoraDbc } from "./meteora-dbc/venue.ts"
import { raydiumClmm } from "./raydium-clmm/venue.ts"
import { raydiumCpmm } from "./raydium-cpmm/venue.ts"
import { placeOf } from "./tape-place.ts"
import type { Transaction } from "./transaction.ts"

const [POOL, VAULT_A, VAULT_B] = [addressOf(1), addressOf(2), addressOf(3)]
const [WALLET, PAYER] = [addressOf(4), addressOf(5)]
/** The lower and the higher one by their bytes. */
const [LOW, HIGH] = [addressOf(40), addressOf(60)]

/** A transaction that the payer pays for. */
const paid = (instruction: MadeInstruction, more: Partial<Made> = {}): Transaction => ({
  ...made({ instructions: [instruction], ...more }),
  feePayer: PAYER
})

/** What a deposit to a pool of Raydium CPMM brings, or a withdrawal takes: 7 and 8. */
const lpChange = (type: 0 | 1, mints: readonly [string, string], owner = WALLET): Transaction => {
  const tag = type === 0 ? "f223c68952e1f2b6" : "b712469c946da122"
  const by = madeCall(raydiumCpmm, tag, { 0: owner, 2: POOL, 10: mints[0], 11: mints[1] })
  const fields: ReadonlyArray<Field> = [
    [8, POOL],
    [48, 70n],
    [56, 80n],
    [64, 7n],
    [72, 8n],
    [96, type, 1]
  ]
  return paid(madeEvent(raydiumCpmm, "79a3cdc939da753c", 97, fields, by))
}

describe("liquidity on the tape", () => {
  it.each([
    ["brought", 0, [LOW, HIGH], [7n, 8n]],
    ["taken", 1, [LOW, HIGH], [-7n, -8n]],
    ["of mints that the venue has the other way", 0, [HIGH, LOW], [8n, 7n]]
  ] as const)("is that of the pool's tokens in order: %s", (_, type, mints, amounts) => {
    const events = tapeOf(block(7, [lpChange(type, mints)]))
    const held = mints[0] === LOW ? ([70n, 80n] as const) : ([80n, 70n] as const)
    expect(kinds(events).slice(0, 3)).toEqual(["TokenSeen", "TokenSeen", "PoolCreated"])
    expect(events.slice(2)).toMatchObject([
      {
        ...{ pool: POOL, venueKind: "raydium-cpmm", factory: raydiumCpmm.program },
        ...{ tokens: [LOW, HIGH], source: "call", tx: null }
      },
      {
        ...{ kind: "ReservesSynced", pool: POOL, logIndex: placeOf(1, 0, 0) },
        ...{ reserve0: held[0] + amounts[0], reserve1: held[1] + amounts[1] }
      },
      {
        ...{ kind: "LiquidityChanged", pool: POOL, venueKind: "raydium-cpmm" },
        ...{ owner: WALLET, sender: PAYER, tickLower: null, tickUpper: null, liquidity: null },
        ...{ amount0: amounts[0], amount1: amounts[1], logIndex: placeOf(1, 0, 0) },
        tx: { hash: signature(70), index: 1, from: PAYER, to: raydiumCpmm.program }
      },
      { kind: "BlockSealed", logs: 1 }
    ])
    expect(mintsOf(decoded(7, [lpChange(type, mints)]))).toEqual(mints)
  })

  it("announces its pool once, whether a swap or liquidity was first", () => {
    const events = tapeOf(block(7, [lpChange(0, [LOW, HIGH]), lpChange(1, [LOW, HIGH])]))
    expect(kinds(events).slice(2)).toEqual([
      "PoolCreated",
      "ReservesSynced",
      "LiquidityChanged",
      "ReservesSynced",
      "LiquidityChanged",
      "BlockSealed"
    ])
  })

  it("is counted and not written where nothing tells of which tokens it is", () => {
    const position: ReadonlyArray<Field> = [
      [8, POOL],
      [56, 7n],
      [64, 8n]
    ]
    const accounts = { 0: WALLET, 2: POOL, 9: VAULT_A, 10: VAULT_B }
    const by = madeCall(raydiumClmm, "2e9cf3760dcdfbb2", accounts)
    const known = madeEvent(raydiumClmm, "314f69d420221e54", 88, position, by)
    const unknown = madeEvent(raydiumClmm, "314f69d420221e54", 88, position)
    const tokens = { [VAULT_A]: [LOW, 1n, 8n], [VAULT_B]: [HIGH, 1n, 9n] } as const
    const one = { [VAULT_A]: tokens[VAULT_A] as (typeof tokens)[string] }
    const writer = newWriter()
    writer.writeBlock(decoded(7, [paid(unknown, { tokens }), paid(known, { tokens: one })]))
    expect([writer.untold, kinds(taken(writer))]).toEqual([2, ["BlockSealed"]])
    writer.writeBlock(decoded(8, [paid(known, { tokens })]))
    expect(writer.untold).toBe(2)
    expect(taken(writer)[3]).toMatchObject({ owner: WALLET, amount0: 7n, amount1: 8n })
  })

  it("is quarantined where an account of it is none", () => {
    expect(tapeOf(block(7, [lpChange(0, [LOW, HIGH], "nobody")]))).toMatchObject([
      {
        ...{ kind: "LogQuarantined", address: raydiumCpmm.program },
        reason: "an account of the pool is none"
      },
      { kind: "BlockSealed", logs: 1 }
    ])
  })
})

describe("a curve's end on the tape", () => {
  const accounts = { 2: POOL, 5: VAULT_A, 6: VAULT_B, 7: LOW, 8: HIGH, 9: WALLET }
  const buy = madeCall(meteoraDbc, "414b3f4ceb5b5b88", accounts)
  const bought: ReadonlyArray<Field> = [
    [8, POOL],
    [72, 1, 1],
    [91, 100n],
    [99, 95n],
    [115, 70n]
  ]
  const complete = (by?: MadeInstruction) =>
    madeEvent(meteoraDbc, "e5e756549c864b18", 88, [[8, POOL]], by)
  const last = complete(madeEvent(meteoraDbc, "bd4233a826507599", 187, bought, buy))
  const migration = madeCall(meteoraDbc, "9ca9e66735e45040", {
    ...{ 0: POOL, 4: addressOf(9), 13: LOW, 14: HIGH }
  })

  it("stands behind the swap that brought it, and comes again with the pool", () => {
    const events = tapeOf(block(7, [paid(last), paid(migration)]))
    expect(events.slice(2)).toMatchObject([
      { kind: "PoolCreated", pool: POOL, source: "call" },
      { kind: "SwapExecuted", pool: POOL, logIndex: placeOf(1, 0, 0) },
      { kind: "SwapDoubted" },
      {
        ...{ kind: "PoolParameterSet", pool: POOL, name: "graduated", index: null, value: 1n },
        ...{ logIndex: placeOf(1, 0, 1), tx: { hash: signature(70) } }
      },
      {
        ...{ kind: "PoolParameterSet", pool: POOL, name: "migratedTo", index: null },
        value: BigInt(`0x${"09".repeat(32)}`),
        ...{ logIndex: placeOf(2, 0, 0), tx: { hash: signature(71) } }
      },
      { kind: "ReservesSynced", pool: POOL, reserve0: 0n, reserve1: 0n },
      { kind: "BlockSealed", logs: 3 }
    ])
  })

  it("is quarantined where the account of its pool is none", () => {
    const nobody = { 0: POOL, 4: "nobody", 13: LOW, 14: HIGH }
    const end = madeCall(meteoraDbc, "9ca9e66735e45040", nobody)
    expect(tapeOf(block(7, [paid(end)]))).toMatchObject([
      { kind: "LogQuarantined", reason: "an account of the pool is none" },
      { kind: "BlockSealed", logs: 1 }
    ])
  })

  it("is told of a curve that the log does not know, which its next swap announces", () => {
    const events = tapeOf(block(7, [paid(complete()), paid(last)]))
    expect(kinds(events).slice(0, 4)).toEqual([
      "PoolParameterSet",
      "TokenSeen",
      "TokenSeen",
      "PoolCreated"
    ])
  })

  it("announces the curve again where the block was undone that did", () => {
    const writer = newWriter()
    writer.writeBlock(decoded(7, []))
    writer.writeBlock(decoded(8, [paid(last)]))
    writer.undo(backTo(7, 8))
    const more = { parentSlot: 7, parentHash: addressOf(207) }
    writer.writeBlock(decoded(9, [paid(complete())], more))
    const events = taken(writer)
    const back = events.findIndex(({ kind }) => kind === "Rollback")
    expect(kinds(events.slice(back + 1))).toEqual([
      "TokenSeen",
      "TokenSeen",
      "PoolCreated",
      "PoolParameterSet",
      "BlockSealed"
    ])
  })
})
