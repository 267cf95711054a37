/** A log with a token that trades very often, one that traded once, and one that never did. */

import type { BlockRef, Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { MemoryLog } from "./memory-log.ts"

const address = (byte: string): string => `0x${byte.repeat(20)}`

export const DOLLAR: string = testChain.anchors[0]?.address ?? ""
/** All of six decimals. */
export const [BUSY, ONCE, NEVER] = [address("a1"), address("a2"), address("a3")] as const
export const [LISTED, FORK] = [address("b1"), address("b2")] as const
export const [ONCE_POOL, NEVER_POOL] = [address("b3"), address("b4")] as const
export const NOBODY = address("00")
/** Does three of five trades. */
export const BUSY_WALLET = address("c1")
/** Traded once, and nothing else. */
export const ONE_WALLET = address("c2")
const UNIT = 1_000_000n
const DAY = 86_400

/** Wednesday; a month ends on the fourth day, a week on the fifth. */
export const BEGINNING = Date.UTC(2026, 1, 25) / 1000
export const BLOCKS = 10_000
const DAYS = 10
const WALLETS = 5000
const SEGMENT_BLOCKS = 50

const walletOf = (i: number): string | null => {
  if (i % 50 === 7) return null
  if (i % 5 < 3) return BUSY_WALLET
  return `0xdd${((i * 7919) % WALLETS).toString(16).padStart(38, "0")}`
}

const hashOf = (label: number): string => `0x${label.toString(16).padStart(64, "0")}`

const fact = (block: BlockRef, logIndex: number, tx: Event["tx"], of: object): Event =>
  ({ block, tx, logIndex, ...of }) as Event

const swapOf = (pool: string, tokens: bigint, dollars: bigint, isBuy: boolean) => ({
  ...{ kind: "SwapExecuted", pool, venueKind: "uniswap-v2", sender: null, recipient: null },
  ...{ amount0In: isBuy ? 0n : tokens, amount0Out: isBuy ? tokens : 0n },
  ...{ amount1In: isBuy ? dollars : 0n, amount1Out: isBuy ? 0n : dollars },
  ...{ sqrtPriceX96: null, liquidity: null, tick: null, fee: null },
  ...{ token0: null, token1: null, index0: null, index1: null }
})

const opening = (block: BlockRef): ReadonlyArray<Event> => {
  const seen = (token: string, symbol: string) => ({
    ...{ kind: "TokenSeen", token, symbol, name: symbol, decimals: 6 },
    ...{ totalSupply: 10n ** 15n, source: "call" }
  })
  const pool = (of: string, token: string, isListed = true) => ({
    ...{ kind: "PoolCreated", pool: of, venueKind: "uniswap-v2", fee: 3000, tickSpacing: null },
    factory: isListed ? testChain.venues[0]?.factory : address("ff"),
    ...{ tokens: [token, DOLLAR], source: "call" }
  })
  const facts = [
    ...[seen(BUSY, "BUSY"), seen(DOLLAR, "USDC"), seen(ONCE, "ONCE"), seen(NEVER, "NEVER")],
    ...[pool(LISTED, BUSY), pool(FORK, BUSY, false)],
    ...[pool(ONCE_POOL, ONCE), pool(NEVER_POOL, NEVER)],
    { kind: "TokenPinned", token: BUSY },
    {
      ...{ kind: "TransfersFilled", token: BUSY, fromBlock: 1, toBlock: 1 },
      ...{ reach: "creation", grade: "root" }
    }
  ]
  return facts.map(of => fact(block, 0, null, of))
}

/** What holders of the busy token are left with, by address, as its transfers have it. */
export type Balances = Map<string, bigint>

interface Script {
  readonly trades: number
  readonly balances: Balances
  made: number
}

const move = (script: Script, from: string, to: string, amount: bigint) => {
  const { balances } = script
  if (from !== NOBODY) balances.set(from, (balances.get(from) ?? 0n) - amount)
  balances.set(to, (balances.get(to) ?? 0n) + amount)
  return { kind: "TransferSeen", token: BUSY, from, to, amount, wrap: null }
}

/** What the busy token's pools say that it costs from a block on. */
export const priceAtBlock = (number: number): number => 2 + 0.6 * Math.sin(number / 500)

/** One trade: every 997th at twenty times the price, every seventh in the fork's pool. */
const tradeOf = (script: Script, block: BlockRef, price: number, logIndex: number) => {
  const i = script.made++
  const from = walletOf(i)
  const tx = { hash: hashOf(i + 1), index: logIndex, from, to: from }
  const micro = 1_000_000 + ((i * 104_729) % 499_000_000)
  const times = i % 997 === 500 ? 20 : 1 + ((i % 41) - 20) / 4000
  const tokens = BigInt(micro)
  const dollars = BigInt(Math.round(micro * price * times))
  const isBuy = (i * 31) % 9 < 5
  const pool = i % 7 === 3 ? FORK : LISTED
  const holder = from ?? NOBODY.replace("0x00", "0x0e")
  const moved = isBuy ? move(script, pool, holder, tokens) : move(script, holder, pool, tokens)
  return [
    fact(block, logIndex, tx, moved),
    fact(block, logIndex + 1, tx, swapOf(pool, tokens, dollars, isBuy))
  ]
}

const blockEvents = (script: Script, number: number): ReadonlyArray<Event> => {
  const time = BEGINNING + Math.floor((number * DAYS * DAY) / BLOCKS)
  const [hash, parentHash] = [hashOf(number + 2 ** 40), hashOf(number - 1 + 2 ** 40)]
  const block: BlockRef = { number, time, hash, parentHash }
  const price = priceAtBlock(number)
  const events: Array<Event> = []
  if (number === 1) {
    events.push(...opening(block))
    // two wallets and both pools hold enough to sell
    const holders = [...[LISTED, FORK, BUSY_WALLET, NOBODY.replace("0x00", "0x0e")]]
    for (let i = 0; i < WALLETS; i++) holders.push(walletOf(3 + 5 * i) ?? BUSY_WALLET)
    for (const to of new Set(holders)) {
      events.push(fact(block, events.length, null, move(script, NOBODY, to, 10n ** 14n)))
    }
  }
  const synced = (pool: string, tokens: number) => ({
    ...{ kind: "ReservesSynced", pool, reserve0: BigInt(tokens) * UNIT },
    reserve1: BigInt(Math.round(tokens * price * 1e6))
  })
  const tx = { hash: hashOf(number + 2 ** 41), index: 0, from: null, to: null }
  events.push(fact(block, events.length, tx, synced(LISTED, 5_000_000)))
  events.push(fact(block, events.length, tx, synced(FORK, 1_000_000)))
  const upTo = Math.floor((number * script.trades) / BLOCKS)
  while (script.made < upTo) events.push(...tradeOf(script, block, price, events.length))
  if (number === BLOCKS - 20) {
    const by = { hash: hashOf(2 ** 42), index: 900, from: ONE_WALLET, to: ONE_WALLET }
    const once = { kind: "ReservesSynced", pool: ONCE_POOL, reserve0: 50_000n * UNIT }
    events.push(fact(block, 990_000, by, { ...once, reserve1: 200_000n * UNIT }))
    events.push(fact(block, 990_001, by, swapOf(ONCE_POOL, 3n * UNIT, 12n * UNIT, true)))
  }
  events.push(fact(block, 0, null, { kind: "BlockSealed", logs: events.length, grade: "file" }))
  return events
}

/** So many trades of the busy token over ten days, in 10,000 blocks. */
export const busyLog = (trades: number): { log: MemoryLog; balances: Balances } => {
  const log = new MemoryLog()
  const script: Script = { trades, balances: new Map(), made: 0 }
  let segment: Array<Event> = []
  for (let number = 1; number <= BLOCKS; number++) {
    segment.push(...blockEvents(script, number))
    if (number % SEGMENT_BLOCKS > 0) continue
    log.append(segment)
    segment = []
  }
  return { log, balances: script.balances }
}
