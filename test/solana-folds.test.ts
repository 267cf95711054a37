/** Blocks of the simulated Solana on the tape, folded by the projections of all chains. */
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { NEWEST } from "../projections/tape/cursor.ts"
import { toBase58 } from "../src/domain/base58.ts"
import { solana as solanaChain } from "../src/domain/chains/solana.ts"
import type { Event, EventOf } from "../streams/event.ts"
import { eventsOf } from "../streams/event-objects.ts"
import { FactBook } from "../streams/facts.ts"
import { MIGRATED_TO, VIRTUAL_RESERVE } from "../streams/pool-parameters.ts"
import { decodeBlock } from "../streams/solana/decoded-block.ts"
import { SolanaTapeWriter } from "../streams/solana/solana-tape-writer.ts"
import { mintsInOrder } from "../streams/solana/swap-events.ts"
import { partsOfPlace } from "../streams/solana/tape-place.ts"
import { solanaVenues } from "../streams/solana/venues.ts"
import { CPMM, derived, USDC, WSOL } from "../streams/sources/solana-devchain/addresses.ts"
import { type SolanaNode, startNode } from "../streams/sources/solana-devchain/node.ts"
import { foldLog } from "./support/folded-lane.ts"
import { MemoryLog } from "./support/memory-log.ts"
import { openSource, ReadChain, readRange } from "./support/solana-reading.ts"

type Swap = EventOf<"SwapExecuted">
interface Print {
  readonly tx: string
  readonly logIndex: number
  readonly quoteAmount: number | null
}
type LandedTransaction =
  ReturnType<SolanaNode["bank"]["at"]> extends infer B
    ? NonNullable<B> extends { readonly transactions: ReadonlyArray<infer T> }
      ? T
      : never
    : never

/** The discriminators of Raydium CPMM's `LpChangeEvent` and PumpSwap's `CreatePoolEvent`. */
const CHANGES = ["79a3cdc939da753c", "b1310cd2a076a774"]

const isLpChange = (line: string): boolean => {
  const data = Buffer.from(line.replace("Program data: ", ""), "base64").toString("hex")
  return CHANGES.some(tag => data.startsWith(tag))
}

const scope = Effect.runSync(Scope.make())
let node: SolanaNode
let chain: ReadChain
let log: MemoryLog
let writer: SolanaTapeWriter
let events: ReadonlyArray<Event>

beforeAll(async () => {
  const plan = { seed: "folds", users: 20, pooled: 3, curves: 3, port: 0, slotMs: 400 }
  node = await Effect.runPromise(startNode(plan).pipe(Scope.provide(scope)))
  for (let i = 0; i < 150; i++) await Effect.runPromise(node.step)
  const source = openSource(
    [node.url],
    solanaVenues.map(({ program }) => program)
  )
  const [first] = node.bank.slots(1, Number.MAX_SAFE_INTEGER)
  const read = await readRange(source, first as number, node.bank.head.slot - 40)
  if (!(read instanceof ReadChain)) throw new Error(read)
  chain = read
  writer = new SolanaTapeWriter({
    ...{ facts: new FactBook(), last: null, blocks: [], knownPools: [], knownTokens: [] }
  })
  for (const block of chain.blocks) writer.writeBlock(decodeBlock(block))
  writer.flush()
  log = new MemoryLog()
  const all: Array<Event> = []
  for (let batch = writer.take(); batch !== null; batch = writer.take()) {
    expect(batch.ids.form.name).toBe("base58")
    const told = eventsOf(batch)
    log.append(told)
    all.push(...told)
  }
  events = all
})

afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const swaps = (): ReadonlyArray<Swap> =>
  events.filter((event): event is Swap => event.kind === "SwapExecuted")

/** The transactions of all blocks, as the node has them. */
const landed = () =>
  node.bank
    .slots(0, Number.MAX_SAFE_INTEGER)
    .flatMap(slot => node.bank.at(slot)?.transactions ?? [])
    .map(({ transaction }) => transaction)

/** What each vault of a transaction gained, by its mint, as the node's own answer tells. */
const gains = (signature: string): ReadonlyMap<string, ReadonlyArray<bigint>> => {
  const all = chain.blocks.map(({ slot }) => node.bank.at(slot))
  const found = all
    .flatMap(block => block?.transactions ?? [])
    .find(({ transaction }) => transaction.signatures[0] === signature)
  const by = new Map<string, Array<bigint>>()
  const { preTokenBalances = [], postTokenBalances = [] } = found?.meta ?? {}
  const had = new Set(preTokenBalances.map(({ mint }) => mint))
  if (postTokenBalances.some(({ mint }) => !had.has(mint))) return by
  for (const after of postTokenBalances) {
    const before = preTokenBalances.find(one => one.accountIndex === after.accountIndex)
    const gain = BigInt(after.uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? 0)
    by.set(after.mint, [...(by.get(after.mint) ?? []), gain])
  }
  return by
}

describe("the tape of Solana", () => {
  it("has every block, every swap once and as its vaults say, and nothing that was not read", () => {
    expect(writer.problem).toBeNull()
    const sealed = events.filter(({ kind }) => kind === "BlockSealed")
    expect(sealed.map(({ block }) => [block.number, block.hash])).toEqual(
      chain.blocks.map(({ slot, hash }) => [slot, hash])
    )
    const sums = [...writer.table.values()].reduce(
      (so, one) => ({ swaps: so.swaps + one.swaps, ok: so.ok + one.ok }),
      { swaps: 0, ok: 0 }
    )
    expect(swaps().length).toBeGreaterThan(40)
    expect(sums).toEqual({ swaps: swaps().length, ok: swaps().length })
    const rest = events.filter(({ kind }) => kind === "SwapDoubted" || kind === "LogQuarantined")
    expect(rest).toEqual([])
    const created = new Map(
      events.flatMap(one => (one.kind === "PoolCreated" ? [[one.pool, one] as const] : []))
    )
    for (const swap of swaps()) {
      const moved = gains(swap.tx?.hash ?? "")
      // a mint of this very transaction had no balance before
      if (moved.size === 0) continue
      const { tokens } = created.get(swap.pool) as EventOf<"PoolCreated">
      const told = [swap.amount0In - swap.amount0Out, swap.amount1In - swap.amount1Out]
      const held = tokens.filter(mint => mint !== WSOL || swap.venueKind !== "pumpfun")
      for (const mint of held) {
        expect(moved.get(mint), swap.tx?.hash).toContain(told[tokens.indexOf(mint)])
      }
    }
  })

  it("tells of a pool that was launched in the transaction that launched it", () => {
    const launched = events.filter(
      (one): one is EventOf<"PoolCreated"> => one.kind === "PoolCreated" && one.source === "log"
    )
    expect(launched.length).toBeGreaterThan(0)
    expect(launched.map(({ venueKind }) => venueKind)).toContain("pumpfun")
    for (const one of launched) {
      const { pool, tx } = one
      const first = swaps().find(swap => swap.pool === pool)
      if (first !== undefined) expect(events.indexOf(first)).toBeGreaterThan(events.indexOf(one))
      const found = landed().find(({ signatures }) => signatures[0] === tx?.hash)
      expect(found?.message.accountKeys).toContain(pool)
    }
  })

  it("tells each change of liquidity as the vaults saw it", async () => {
    const changes = events.filter(
      (one): one is EventOf<"LiquidityChanged"> => one.kind === "LiquidityChanged"
    )
    const created = new Set(
      events.flatMap(one =>
        one.kind === "PoolCreated" && one.venueKind === "raydium-cpmm" && one.source === "log"
          ? [one.tx?.hash]
          : []
      )
    )
    // who creates a pool of Raydium CPMM puts something in without an event
    expect(created.size).toBeGreaterThan(0)
    const told = chain.blocks
      .flatMap(({ slot }) => node.bank.at(slot)?.transactions ?? [])
      .filter(
        ({ meta, transaction }) =>
          meta.err === null &&
          (meta.logMessages.some(isLpChange) || created.has(transaction.signatures[0]))
      )
    expect(changes.map(({ tx }) => tx?.hash)).toEqual(
      told.map(({ transaction }) => transaction.signatures[0])
    )
    expect(changes.length).toBeGreaterThan(3)
    expect(writer.untold).toBe(0)
    const [authority] = await Effect.runPromise(derived(CPMM, "vault_and_lp_mint_auth_seed"))
    for (const [at, { transaction, meta }] of told.entries()) {
      const change = changes[at] as EventOf<"LiquidityChanged">
      const { pool, amount0, amount1, owner, sender, venueKind } = change
      const [payer] = transaction.message.accountKeys
      // who creates a pool of what a curve had is a program's account
      expect([owner, sender]).toEqual([venueKind === "pumpswap" ? owner : payer, payer])
      expect(transaction.message.accountKeys).toContain(owner)
      const made = events.find(one => one.kind === "PoolCreated" && one.pool === pool)
      const { tokens } = made as EventOf<"PoolCreated">
      const held = (balances: typeof meta.preTokenBalances = []) => {
        const vaults = balances.filter(one => [authority, pool].includes(one.owner as never))
        const amounts = tokens.map(
          mint => vaults.find(one => one.mint === mint)?.uiTokenAmount.amount
        )
        return amounts.map(amount => BigInt(amount ?? 0))
      }
      const [before, after] = [held(meta.preTokenBalances), held(meta.postTokenBalances)]
      expect([amount0, amount1]).toEqual(after.map((one, i) => one - (before[i] as bigint)))
    }
  })

  it("tells that a curve is sold out, and that it has a pool then", () => {
    const ends = events.filter(
      (one): one is EventOf<"PoolParameterSet"> =>
        one.kind === "PoolParameterSet" && one.name !== VIRTUAL_RESERVE
    )
    const [sold, migrated] = ends as [EventOf<"PoolParameterSet">, EventOf<"PoolParameterSet">]
    expect([sold, migrated]).toMatchObject([
      { name: "graduated", index: null, value: 1n },
      { name: MIGRATED_TO, index: null, pool: sold.pool }
    ])
    const before = events[events.indexOf(sold) - 1]
    expect(before).toMatchObject({ kind: "SwapExecuted", pool: sold.pool, tx: sold.tx })
    const opened = events.filter(
      one => one.kind === "PoolCreated" && one.tx?.hash === migrated.tx?.hash
    )
    const pool = toBase58(Buffer.from(migrated.value.toString(16).padStart(64, "0"), "hex"))
    expect(opened).toMatchObject([{ venueKind: "pumpswap", pool }])
    expect(events[events.indexOf(migrated) + 1]).toMatchObject({
      ...{ kind: "ReservesSynced", pool: sold.pool, reserve0: 0n, reserve1: 0n, tx: migrated.tx }
    })
  })

  it("prices a token whose curve has a pool by that pool alone", () =>
    Effect.gen(function* () {
      const lane = yield* foldLog(solanaChain, log)
      const curves = new Set(
        events.flatMap(one =>
          one.kind === "PoolParameterSet" && one.name === MIGRATED_TO ? [one.pool] : []
        )
      )
      expect(curves.size).toBeGreaterThan(0)
      for (const curve of curves) {
        const created = events.find(one => one.kind === "PoolCreated" && one.pool === curve)
        const mint = (created as EventOf<"PoolCreated">).tokens.find(one => one !== WSOL) ?? ""
        const { priceUsd, pools } = yield* lane.ask("explainPrice", { token: mint })
        expect(pools).toMatchObject([
          { dex: "pumpswap", eligible: true, priceUsd },
          { pool: curve, dex: "pumpfun", eligible: false, priceUsd: null, depthUsd: 0 }
        ])
      }
    }).pipe(Effect.scoped, Effect.runPromise))

  it("orders what it tells as it ran", () => {
    let [slot, place] = [-1, -1]
    for (const { block, tx, logIndex, kind } of events) {
      if (tx === null) continue
      if (block.number !== slot) [slot, place] = [block.number, -1]
      expect(logIndex, kind).toBeGreaterThanOrEqual(place)
      expect(partsOfPlace(logIndex).transaction).toBe(tx.index)
      place = logIndex
    }
  })

  it("is folded into liquidity, of each owner what the vaults gained by it", () =>
    Effect.gen(function* () {
      const lane = yield* foldLog(solanaChain, log)
      const [authority] = yield* derived(CPMM, "vault_and_lp_mint_auth_seed")
      const page = yield* lane.ask("liquidityEvents", {
        ...{ limit: 500, pool: null, wallet: null, token: null },
        ...NEWEST
      })
      expect(page.events.length).toBeGreaterThan(3)
      const sums = new Map<string, readonly [number, number]>()
      for (const { tx, pool, owner, token0, token1, amount0, amount1, change } of page.events) {
        const { meta } = chain.blocks
          .flatMap(({ slot }) => node.bank.at(slot)?.transactions ?? [])
          .find(({ transaction }) => transaction.signatures[0] === tx) as LandedTransaction
        const held = (balances: typeof meta.preTokenBalances = [], mint: string) =>
          balances.find(one => [authority, pool].includes(one.owner) && one.mint === mint)
            ?.uiTokenAmount
        const gained = [token0.address, token1.address].map(mint => {
          const [after, before] = [meta.postTokenBalances, meta.preTokenBalances].map(
            balances => held(balances, mint) ?? { amount: "0", decimals: 0 }
          )
          const raw = Number(after?.amount) - Number(before?.amount)
          return raw / 10 ** (after?.decimals ?? 0)
        })
        const sign = change === "add" ? 1 : -1
        expect([sign * amount0, sign * amount1]).toEqual(gained)
        const [of0, of1] = sums.get(`${pool} ${owner}`) ?? [0, 0]
        sums.set(`${pool} ${owner}`, [of0 + sign * amount0, of1 + sign * amount1])
      }
      for (const [key, [of0, of1]] of sums) {
        const [pool = "", wallet = ""] = key.split(" ")
        const asked = { pool, wallet, limit: 10, offset: 0 }
        const { positions } = yield* lane.ask("liquidityPositions", asked)
        expect(positions.length).toBe(1)
        const [{ added0, added1, removed0, removed1 }] = positions
        expect(added0 - removed0).toBeCloseTo(of0, 6)
        expect(added1 - removed1).toBeCloseTo(of1, 6)
      }
      const { wallets, total } = yield* lane.ask("liquidityWallets", { limit: 100, offset: 0 })
      const owners = new Set([...sums.keys()].map(key => key.split(" ")[1]))
      expect(new Set(wallets.map(({ wallet }: { wallet: string }) => wallet))).toEqual(owners)
      expect(total).toBe(owners.size)
    }).pipe(Effect.scoped, Effect.runPromise))

  it("is folded into prices, trades and candles, without a path of its own", () =>
    Effect.gen(function* () {
      const lane = yield* foldLog(solanaChain, log)
      const ofSol = swaps().filter(({ pool }) =>
        events.some(
          one => one.kind === "PoolCreated" && one.pool === pool && one.tokens.includes(WSOL)
        )
      )
      const page = yield* lane.ask("chainTrades", { token: WSOL, limit: 500, ...NEWEST })
      expect(page.trades.length).toBe(ofSol.length)
      const newest = ofSol[ofSol.length - 1] as Swap
      expect(page.trades[0]).toMatchObject({
        tx: newest.tx?.hash,
        wallet: newest.sender,
        walletBy: newest.sender === newest.tx?.from ? "direct" : "owner",
        pool: newest.pool,
        dex: newest.venueKind.replaceAll("-", "_"),
        logIndex: newest.logIndex,
        block: newest.block.number
      })
      const inDollars = ofSol.filter(({ pool }) =>
        events.some(
          one => one.kind === "PoolCreated" && one.pool === pool && one.tokens.includes(USDC)
        )
      )
      const last = inDollars[inDollars.length - 1] as Swap
      const amounts = [last.amount0In + last.amount0Out, last.amount1In + last.amount1Out]
      const [dollars, sol] = mintsInOrder(WSOL, USDC)[0] === USDC ? amounts : amounts.toReversed()
      const ratio = Number(dollars) / 1e6 / (Number(sol) / 1e9)
      const { priceUsd } = page.trades[0]
      expect(priceUsd / ratio).toBeGreaterThan(0.9)
      expect(priceUsd / ratio).toBeLessThan(1.1)
      // of both tokens, what the vault of the other gained or lost
      const ofDollar = yield* lane.ask("chainTrades", { token: USDC, limit: 500, ...NEWEST })
      const quoteOf = (trades: ReadonlyArray<Print>, { tx, logIndex }: Swap) =>
        trades.find(one => one.tx === tx?.hash && one.logIndex === logIndex)?.quoteAmount
      const shown = inDollars.filter(({ tx }) => gains(tx?.hash ?? "").size > 0)
      expect(shown.length).toBeGreaterThan(3)
      for (const swap of shown) {
        const moved = gains(swap.tx?.hash ?? "")
        const gained = (mint: string, unit: number) =>
          moved.get(mint)?.map(gain => Math.abs(Number(gain)) / unit)
        expect(gained(USDC, 1e6)).toContain(quoteOf(page.trades, swap))
        expect(gained(WSOL, 1e9)).toContain(quoteOf(ofDollar.trades, swap))
      }
    }).pipe(Effect.scoped, Effect.runPromise))
})
