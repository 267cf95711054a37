/** Reserves that price pools and are in no vault: of real trades, and of PumpSwap's newest form. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import type { EventOf } from "../event.ts"
import { VIRTUAL_RESERVE } from "../pool-parameters.ts"
import { backTo, block, decoded, newWriter, taken, tapeOf } from "./made-block.ts"
import { accountsOf, addressOf, callOf, made, payloadOf, telling } from "./made-transaction.ts"
import { hexOf } from "./payload.ts"
import { pumpfun } from "./pumpfun/venue.ts"
import { pumpswap } from "./pumpswap/venue.ts"
import { mintsInOrder } from "./swap-events.ts"
import { readTransaction } from "./transaction/read-transaction.ts"
import type { Transaction } from "./transaction.ts"

const folder = join(sharedData, "solana")

const realOnes = (): ReadonlyArray<Transaction> =>
  ["tx", "tx-parsed"].flatMap(part =>
    readdirSync(join(folder, part)).flatMap(name => {
      const one = readTransaction(JSON.parse(readFileSync(join(folder, part, name), "utf8")))
      return one._tag === "Transaction" && !one.failed ? [one] : []
    })
  )

type Tape = ReturnType<typeof tapeOf>
const ofKind = <K extends Tape[number]["kind"]>(events: Tape, kind: K) =>
  events.filter((one): one is EventOf<K> => one.kind === kind)

/** What the newest reserves of a pool are, and what was told beside them. */
const lastOf = (events: Tape, pool: string) => {
  const held = ofKind(events, "ReservesSynced").findLast(one => one.pool === pool)
  const beside = ofKind(events, "PoolParameterSet").filter(one => one.pool === pool)
  return { held: [held?.reserve0, held?.reserve1], beside: beside.map(({ value }) => value) }
}

describeWithSharedData("reserves of real trades", ["solana/tx"], () => {
  it("are what balances say that PumpSwap's vaults hold, and no more", () => {
    let checked = 0
    for (const one of realOnes()) {
      const events = tapeOf(block(7, [one]))
      for (const { pool, tokens } of ofKind(events, "PoolCreated")) {
        const swap = ofKind(events, "SwapExecuted").find(told => told.pool === pool)
        if (swap?.venueKind !== "pumpswap") continue
        const of = [...one.tokenBalances.values()].filter(({ owner }) => owner === pool)
        const vaults = tokens.map(mint => of.find(held => held.mint === mint)?.after)
        expect(lastOf(events, pool)).toEqual({ held: vaults, beside: [] })
        checked++
      }
    }
    expect(checked).toBe(3)
  })

  it("are without the 30 SOL that no curve of pump.fun holds", () => {
    const beside = realOnes().flatMap(one => {
      const events = tapeOf(block(7, [one]))
      const told = ofKind(events, "PoolParameterSet").filter(({ name }) => name === VIRTUAL_RESERVE)
      return told.map(({ name, value }) => `${name} ${value}`)
    })
    const [sol, tokens] = ["virtualReserve 30000000000", "virtualReserve 279900000000000"]
    // the curve of LaunchLab has virtual reserves of its own
    const own = ["virtualReserve 30000852951", "virtualReserve 279925605596382"]
    expect(new Set(beside)).toEqual(new Set([sol, tokens, ...own]))
  })
})

describe("the oldest form of pump.fun's trades", () => {
  const read = (tokens: bigint) =>
    pumpfun.swapEvents["bddb7fd34ee661ee"]?.read(
      payloadOf("bddb7fd34ee661ee", 113, [
        [40, 1_000n],
        [48, 2_000n],
        [97, 40_000_000_000n],
        [105, tokens]
      ])
    ).after

  it("tells what is virtual by the product of all curves of its time, and else nothing", () => {
    const reserves = { kind: "reserves", in: 804_750_000_000_001n, out: 40_000_000_000n }
    const virtual = { in: 279_900_000_000_000n, out: 30_000_000_000n }
    expect(read(804_750_000_000_001n)).toEqual({ ...reserves, virtual })
    expect(read(904_750_000_000_000n)).toBe(null)
  })
})

describe("PumpSwap's newest form", () => {
  const [POOL, BASE, QUOTE] = [addressOf(1), addressOf(2), addressOf(3)]
  const accounts = accountsOf(28, { 0: POOL, 1: addressOf(4), 3: BASE, 4: QUOTE })
  const [isBase0] = [mintsInOrder(BASE, QUOTE)[0] === BASE]
  const inOrder = <A>(base: A, quote: A) => (isBase0 ? [base, quote] : [quote, base])

  /** A trade of a pool of 1,000,000 base and 5,000 quote, with `virtual` quote beside. */
  const traded = (isBuy: boolean, virtual: bigint | null) => {
    const [tag, tail] = isBuy ? (["67f4521f2cf57777", 408] as const) : ["3e2f370aa503dc2a", 360]
    const name = [
      [401, 3n, 4],
      [405, 0x797562, 3]
    ] as const
    const payload = payloadOf(tag as string, (tail as number) + (virtual === null ? 32 : 73), [
      [16, 10_000n],
      [48, 1_000_000n],
      [56, 5_000n],
      // with the fee of liquidity providers, or without it
      [104, 60n],
      [120, POOL],
      ...(isBuy ? name : []),
      ...(virtual === null ? [] : [[(tail as number) + 32, virtual, 16] as const])
    ])
    expect(hexOf(payload, 8)).toBe(tag)
    const by = callOf(pumpswap, isBuy ? "66063d1201daebea" : "33e685a4017f83ad", accounts)
    const tokens = { "account 7": [BASE, 0n, 0n], "account 8": [QUOTE, 0n, 0n] } as const
    const instructions = [{ ...by, calls: [telling(pumpswap, payload)] }]
    return { ...made({ instructions, tokens }), feePayer: addressOf(5) }
  }

  it.each([
    ["a buy", true, 900n, [990_000n, 5_060n]],
    ["a sell", false, 900n, [1_010_000n, 4_940n]],
    ["a sell of a pool with less than its vault", false, -900n, [1_010_000n, 4_940n]]
  ] as const)(
    "tells what is virtual beside what the vaults hold: %s",
    (_, isBuy, virtual, held) => {
      const events = tapeOf(block(7, [traded(isBuy, virtual)]))
      const [base, quote] = held
      expect(lastOf(events, POOL)).toEqual({
        held: inOrder(base, quote),
        beside: inOrder(0n, virtual)
      })
    }
  )

  it("leaves what the vaults hold as it is told, where what is virtual is not told", () => {
    const beside = inOrder(0n, 9n)
    const untold = tapeOf(block(7, [traded(true, 9n), traded(true, null)]))
    expect(lastOf(untold, POOL)).toEqual({ held: inOrder(990_000n, 5_060n), beside })
    const never = tapeOf(block(7, [traded(false, null)]))
    expect(lastOf(never, POOL)).toEqual({ held: inOrder(1_010_000n, 4_940n), beside: [] })
  })

  it("is told in each block, which is the same where it is read by itself", () => {
    const blocks = [7, 8, 9].map(slot => block(slot, [traded(true, 9n), traded(false, 9n)]))
    const told = ofKind(tapeOf(...blocks), "PoolParameterSet")
    expect(told).toHaveLength(6)
    expect(blocks.flatMap(one => ofKind(tapeOf(one), "PoolParameterSet"))).toEqual(told)
  })

  it("is told to be none once, of a pool that had some", () => {
    const [none, some] = [traded(true, 0n), traded(true, 9n)]
    const told = (...ones: Parameters<typeof block>[1]) =>
      ofKind(tapeOf(block(7, ones)), "PoolParameterSet").map(({ value }) => value)
    expect(told(none)).toEqual([])
    expect(told(some, none, none)).toEqual([...inOrder(0n, 9n), 0n, 0n])
  })

  it("tells it again where it has changed, and after blocks were undone", () => {
    const writer = newWriter()
    writer.writeBlock(decoded(7, []))
    for (const slot of [8, 9]) {
      writer.writeBlock(
        decoded(slot, [traded(true, 9n)], { parentSlot: 7, parentHash: addressOf(207) })
      )
      if (slot === 8) writer.undo(backTo(7, 8))
    }
    expect(ofKind(taken(writer), "PoolParameterSet")).toHaveLength(4)
    const same = tapeOf(block(7, [traded(true, 9n), traded(true, 9n)]))
    expect(ofKind(same, "PoolParameterSet")).toHaveLength(2)
    const other = tapeOf(block(7, [traded(true, 9n), traded(true, 8n)]))
    expect(lastOf(other, POOL).beside).toEqual([...inOrder(0n, 9n), ...inOrder(0n, 8n)])
  })
})
