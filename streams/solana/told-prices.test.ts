/** Prices that no event tells and that follow from it: bins of DLMM, shares of DAMM v1. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { binStepOf } from "../../src/math/bins/bin-step.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import type { Event } from "../event.ts"
import { FactBook } from "../facts.ts"
import { BinSteps } from "./bin-steps.ts"
import type { SolanaBlock } from "./block.ts"
import { decodeTransaction } from "./decode-transaction.ts"
import { decodeBlock } from "./decoded-block.ts"
import { backTo, block, newWriter, taken } from "./made-block.ts"
import { addressOf, eventCall, type MadeInstruction, made, payloadOf } from "./made-transaction.ts"
import { meteoraDammV1 } from "./meteora-damm-v1/venue.ts"
import { madeSwap } from "./meteora-dlmm/made-swap.ts"
import { meteoraDlmm } from "./meteora-dlmm/venue.ts"
import { stepToldBy, withPrice } from "./pool-after.ts"
import { SolanaTapeWriter } from "./solana-tape-writer.ts"
import type { Swap } from "./swap.ts"
import { readTransaction } from "./transaction/read-transaction.ts"
import type { TokenBalance, Transaction } from "./transaction.ts"
import { venuesByProgram } from "./venues.ts"

const realSwaps = (venue: Swap["venue"]) =>
  ["tx", "tx-parsed"].flatMap(part => {
    const folder = join(sharedData, "solana", part)
    return readdirSync(folder)
      .toSorted()
      .flatMap(name => {
        const one = readTransaction(JSON.parse(readFileSync(join(folder, name), "utf8")))
        if (one._tag !== "Transaction") return []
        const { swaps } = decodeTransaction(one, venuesByProgram)
        return swaps.filter(swap => swap.venue === venue).map(swap => ({ one, swap }))
      })
  })

/** Second tokens a first one, raw, with the fee of whoever traded. */
const paidPrice = ({ inIsFirst, in: paid, out }: Swap): number => {
  const ratio = Number(out.amount) / Number(paid.amount)
  return inIsFirst ? ratio : 1 / ratio
}

const rootOf = ({ after }: Swap): number =>
  after?.kind === "price" ? Number(after.sqrtPriceX64) / 2 ** 64 : Number.NaN

describeWithSharedData("prices of real swaps", ["solana/tx"], () => {
  it("of Meteora DLMM are those of their bins, off what was paid by the fee", () => {
    const found = realSwaps(meteoraDlmm).map(({ one, swap }) => {
      const { after } = swap
      const bin = after?.kind === "bin" ? [after.bin, after.step?.step, after.step?.isExact] : []
      const price = rootOf(withPrice(one, null, swap)) ** 2
      expect(stepToldBy(swap)).toBe(bin[1])
      return [...bin, (paidPrice(swap) / price - 1).toFixed(4)]
    })
    // who brings the second token pays more by the fee, who takes it gets less; one went two bins
    expect(found).toEqual([
      [-161, 20, true, "0.0020"],
      [-2488, 8, true, "0.0002"],
      [-184, 100, true, "-0.0002"],
      [-320, 50, true, "-0.0002"],
      [-20110, 1, true, "-0.0001"]
    ])
  })

  it("of Meteora DAMM v1 are those of what its shares are worth, as constant product has them", () => {
    const found = realSwaps(meteoraDammV1).map(({ one, swap }) => {
      const { after } = withPrice(one, null, swap)
      if (after?.kind !== "reserves") return null
      const price = Number(after.out) / Number(after.in)
      const paid = Number(swap.out.amount) / Number(swap.in.amount)
      return [after.in, after.out, (paid / price - 1).toFixed(4)]
    })
    // with a fee of 1 % and 0.25 %; the price has moved by what was traded: 0.21 %, 0.003 %
    expect(found).toEqual([
      [2739954094887n, 187204420829n, "-0.0079"],
      [651877016837657n, 147128264905n, "-0.0025"]
    ])
  })
})

/** A balance that was so much before, and is so much now. */
const balance = (before: bigint, after: bigint): TokenBalance => ({
  ...{ mint: addressOf(9), decimals: 6, owner: null, program: null, before, after }
})

/** The pool of the reference's golden numbers, with the fee levels of it. */
const GOLDEN = {
  withdrawable: { a: 3_123_351_479_506n, b: 987_580_145_113n },
  supply: { a: 3_000_111_222_333n, b: 900_222_333_444n },
  shares: { a: 1_234_567_890_123n, b: 345_678_901_234n }
}

/** A swap of A of the golden pool for what the real program paid. */
const goldenSwap = (paid: bigint, got: bigint) => {
  const { withdrawable, supply, shares } = GOLDEN
  const fee = (paid * 250n) / 100_000n
  const ofProtocol = (fee * 20_000n) / 100_000n
  const into = paid - ofProtocol
  const [minted, burned] = [(into * supply.a) / withdrawable.a, (got * supply.b) / withdrawable.b]
  const tokenBalances = new Map([
    ["share A", balance(shares.a, shares.a + minted)],
    ["share B", balance(shares.b, shares.b - burned)]
  ])
  const [swap] = [
    {
      pool: addressOf(1),
      in: { amount: into, share: "share A" },
      out: { amount: got, share: "share B" },
      after: { kind: "shares", net: into - (fee - ofProtocol) }
    } as unknown as Swap
  ]
  const before = {
    a: (shares.a * withdrawable.a) / supply.a,
    b: (shares.b * withdrawable.b) / supply.b
  }
  return {
    transaction: { tokenBalances } as unknown as Transaction,
    ...{ swap, reserves: [before.a + into, before.b - got] as const }
  }
}

describe("shares of DAMM v1", () => {
  it.each([
    [77_777_777n, 22_889_657n],
    [5_000_000_000n, 1_465_878_583n],
    [333_333_333_333n, 77_941_212_336n]
  ])("are worth the reserves of the pool that the real program traded with: %i", (paid, got) => {
    const { transaction, swap, reserves } = goldenSwap(paid, got)
    const { after } = withPrice(transaction, null, swap)
    expect(after).toMatchObject({ kind: "reserves" })
    if (after?.kind !== "reserves") return
    expect(Math.abs(Number(after.in) / Number(reserves[0]) - 1)).toBeLessThan(2e-6)
    expect(Math.abs(Number(after.out) / Number(reserves[1]) - 1)).toBeLessThan(2e-6)
  })

  it("tell nothing where they are few, or constant product paid otherwise", () => {
    for (const [paid, got] of [
      [1_000n, 292n],
      [5_000_000_000n, 1_460_000_000n]
    ] as const) {
      const { transaction, swap } = goldenSwap(paid, got)
      expect(withPrice(transaction, null, swap).after).toBeNull()
    }
  })
})

describe("bin steps", () => {
  /** What a pool of that step trades in one bin of X, rounded as the program rounds. */
  const inBin = (step: number, bin: number, x: number) => ({
    ...{ start: bin, end: bin, x },
    y: Math.floor(x * (1 + step / 10_000) ** bin)
  })

  it.each([
    [1, -20_110],
    [20, -161],
    [100, 437],
    [400, 30]
  ])("follow from one swap: %i in bin %i", (step, bin) => {
    expect(binStepOf(inBin(step, bin, 5e9))).toEqual({ step, isExact: true })
  })

  it("follow from a swap over several bins, whose price is between theirs", () => {
    const of = (bin: number) => 1e9 * 1.005 ** bin
    const y = Math.floor(of(-320) + 3 * of(-321) + of(-322))
    expect(binStepOf({ start: -320, end: -322, x: 5e9, y })).toEqual({ step: 50, isExact: true })
  })

  it("are unknown of a swap of few units, but for bins that cost alike by all", () => {
    expect(binStepOf({ start: -511, end: -511, x: 60, y: 1 })).toBeNull()
    expect(binStepOf({ start: 0, end: 0, x: 1e9, y: 1e9 })).toMatchObject({ isExact: false })
    expect(binStepOf({ start: 100, end: 100, x: 1e9, y: 1e9 })).toBeNull()
  })

  it("of a pool's creation or a larger swap price its small swaps", () => {
    const after = { kind: "bin", bin: -511, step: null } as const
    const swap = { pool: addressOf(1), after } as unknown as Swap
    const none = {} as Transaction
    expect(withPrice(none, null, swap).after).toBeNull()
    expect(rootOf(withPrice(none, 80, swap))).toBeCloseTo(1.008 ** (-511 / 2), 12)
  })
})

describe("what swaps of a pool of bins leave", () => {
  const [POOL, STEP, BIN] = [addressOf(1), 20, -161]
  const bins = [
    [72, BIN, 4],
    [76, BIN, 4]
  ] as const

  /** Into X so much, for what the bin pays; told with the fee, or by the newer event alone. */
  const traded = (paid: number, isWhole: boolean): Transaction => {
    const amountIn = BigInt(paid)
    const amountOut = BigInt(Math.floor(paid * (1 + STEP / 10_000) ** BIN))
    const swap = madeSwap(amountIn, amountOut)
    const accounts = swap.accounts.map(account => (account === "me" ? addressOf(6) : account))
    const payload = isWhole
      ? payloadOf("516ce3becdd00ac4", 137, [
          [8, POOL],
          ...bins,
          [80, amountIn],
          [88, amountOut],
          [96, 1, 1]
        ])
      : payloadOf("2e7452d7941b544d", 155, [
          [8, POOL],
          ...bins,
          [80, 1, 1],
          [97, amountIn],
          [113, amountOut]
        ])
    const [call] = swap.calls ?? []
    const calls = [{ ...(call as MadeInstruction), data: eventCall(payload) }]
    const tokens = {
      X: [addressOf(40), 0n, amountIn],
      Y: [addressOf(60), 10n ** 12n, 10n ** 12n - amountOut]
    } as never
    const one = made({ instructions: [{ ...swap, accounts, calls }], tokens })
    return { ...one, feePayer: addressOf(5) }
  }

  const blocks = [
    block(10, [traded(900_000_000, false)]),
    // some fifty units fit many steps
    block(11, [traded(50, true), traded(5_000_000_000, true), traded(700_000_000, false)]),
    block(12, [traded(800_000_000, false)]),
    block(13, [traded(5_000_000_000, true)])
  ]

  /** What a writer makes of some blocks after what the log tells: of their transactions alone. */
  const written = (some: ReadonlyArray<SolanaBlock>, binSteps: BinSteps) => {
    const none = { last: null, blocks: [], knownPools: [], knownTokens: [] }
    const writer = new SolanaTapeWriter({ ...none, facts: new FactBook(), binSteps })
    for (const one of some) writer.writeBlock(decodeBlock(one))
    expect(writer.problem).toBeNull()
    return taken(writer).filter(({ tx }) => tx !== null)
  }

  const pricesIn = (events: ReadonlyArray<Event>) =>
    events.flatMap(one => (one.kind === "SwapExecuted" ? [one.sqrtPriceX96 !== null] : []))

  const whole = written(blocks, new BinSteps())
  const of = (...slots: ReadonlyArray<number>) =>
    whole.filter(({ block: { number } }) => slots.includes(number))

  it("is priced from the first on that tells the step, which the log has once", () => {
    expect(pricesIn(whole)).toEqual([false, false, true, true, true, true])
    const steps = whole.filter(({ kind }) => kind === "PoolParameterSet")
    expect(steps).toMatchObject([
      { pool: POOL, name: "binStep", index: null, value: 20n, block: { number: 11 } }
    ])
  })

  it("is the same after a start, and read again with all that is known by then", () => {
    const known = () => {
      const steps = new BinSteps()
      steps.learn({ pool: POOL, step: STEP, block: 11 })
      return steps
    }
    const [ten, eleven, twelve, thirteen] = blocks as [SolanaBlock, SolanaBlock, ...SolanaBlock[]]
    expect(written(blocks.slice(2), known())).toEqual(of(12, 13))
    expect(written([twelve as SolanaBlock], known())).toEqual(of(12))
    expect(written([ten, eleven], known())).toEqual(of(10, 11))
    expect(written([thirteen as SolanaBlock], known())).toEqual(of(13))
  })

  it("tells the step again where its block is undone", () => {
    const writer = newWriter()
    const [ten, eleven] = blocks as [SolanaBlock, SolanaBlock]
    writer.writeBlock(decodeBlock(ten))
    writer.writeBlock(decodeBlock(eleven))
    writer.undo(backTo(10, 11))
    writer.writeBlock(decodeBlock(eleven))
    const steps = taken(writer).filter(({ kind }) => kind === "PoolParameterSet")
    expect(steps).toHaveLength(2)
  })
})
