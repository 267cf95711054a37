/** Forked logs with something of everything that answers are about, and lanes of each family. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import type { CuratedToken } from "../../src/domain/token-list.ts"
import { thresholds } from "../../src/rules/price-recipe.ts"
import type { BlockRef, Event, EventOf } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import { type Market, marketBlock, newMarket } from "./market.ts"
import { MemoryLog } from "./memory-log.ts"
import { inBase58 } from "./route-urls.ts"
import { type Random, random, seed } from "./seed.ts"

/** One chain of each family, of the same anchors and venues; a list names a stock of one. */
export const routeChains = ({ tokens }: Market): ReadonlyArray<ChainConfig> => {
  const stock: CuratedToken = {
    ...{ address: tokens[PINNED]?.address ?? "", symbol: "AAPL", name: "Apple Inc." },
    ...{ decimals: 18, logoURI: null, tags: [], isStock: true }
  }
  const curation = { lists: [{ name: "Stocks", version: "1.0.0" }], tokens: [stock] }
  return [
    testChain,
    { ...testChain, id: 5042, key: "arc", name: "Arc" },
    { ...testChain, id: 4663, key: "rh", name: "Chain 4663", curation },
    asSolana(testChain)
  ]
}

const accountOf = (account: string) => inBase58(account) as ChainConfig["routers"][number]

/** A chain as if Solana had its accounts: the log is the same, all texts are others. */
const asSolana = (chain: ChainConfig): ChainConfig => ({
  ...{ ...chain, id: solana.id, key: "solana", name: "Solana", family: "solana" },
  nativeToken: chain.nativeToken === null ? null : accountOf(chain.nativeToken),
  anchors: chain.anchors.map(one => ({ ...one, address: accountOf(one.address) })),
  venues: chain.venues.map(one => ({ ...one, factory: accountOf(one.factory) })),
  routers: []
})

interface Sealed {
  readonly events: ReadonlyArray<Event>
  readonly lastSeq: number
  readonly known: ReadonlySet<string>
}

/** How a block is drawn. */
interface Drawn {
  readonly hasGap?: boolean
  readonly draws?: Random
  /** since the block before, at least */
  readonly blocks?: number
}

/** Blocks of seven seconds in which a pool comes of age. */
const OF_AGE_BLOCKS = Math.ceil(thresholds.minAgeSeconds / 7) + 1
const NOBODY = `0x${"0".repeat(40)}`
/** Reads like the dollar anchor's symbol; its second and fourth letters are Cyrillic. */
const LOOK_ALIKE = "UЅDС"
/** Places in the market's list: whose transfers are logged, who reads like others. */
const [PINNED, LIKE_DOLLAR, LIKE_OTHER] = [2, 3, 4]

/** The market's events with factories, symbols and senders that boards and launches need. */
const told = (market: Market, event: Event): Event => {
  if (event.kind === "PoolCreated") {
    const factory = event.venueKind === "uniswap-v2" ? (testChain.venues[0]?.factory ?? null) : null
    const [from = NOBODY] = market.wallets
    const tx = { hash: `0x${event.pool.slice(2).padStart(64, "0")}`, index: 0, from, to: from }
    return { ...event, factory, tx }
  }
  if (event.kind !== "TokenSeen") return event
  const place = market.tokens.findIndex(({ address }) => address === event.token)
  if (place === LIKE_DOLLAR) return { ...event, symbol: LOOK_ALIKE, name: "Dollar" }
  if (place === LIKE_OTHER) return { ...event, symbol: `t${PINNED}`, name: "Other" }
  if (place === 0) return { ...event, symbol: "USDC", name: "USD Coin" }
  return { ...event, name: `Token ${place}` }
}

/** What a block holds besides swaps: transfers of the pinned token, and gaps before it. */
const beside = (r: Random, market: Market, block: BlockRef, isFirst: boolean) => {
  const token = market.tokens[PINNED]?.address ?? ""
  const at = { block, tx: null, logIndex: 0 }
  const tx = { hash: block.hash ?? "", index: 500, from: null, to: null }
  const list: Array<Event> = []
  if (isFirst) {
    list.push({ kind: "TokenPinned", ...at, token })
    const fromBlock = block.number
    list.push({
      ...{ kind: "TransfersFilled", ...at, token, fromBlock, toBlock: fromBlock },
      reach: "creation",
      grade: "root"
    } as EventOf<"TransfersFilled">)
  }
  for (let i = r.integer(0, 4); i > 0; i--) {
    const [from, to] = [r.pick([NOBODY, ...market.wallets]), r.pick(market.wallets)]
    list.push({
      ...{ kind: "TransferSeen", block, tx, logIndex: 900 + i },
      ...{ token, from, to, amount: r.bits(60), wrap: null }
    } as EventOf<"TransferSeen">)
  }
  return list
}

/** A log with random forks, the log of its final chain alone, and the market on it. */
export const forkedMarket = (name: string, r: Random, steps: number) => {
  const [usd, native] = testChain.anchors
  const label = `${seed}/${name}`
  const market = newMarket(label, usd?.address ?? "", native?.address ?? "", 5, 16)
  const log = new MemoryLog()
  let chain: Array<Sealed> = []
  let branch = 0
  const extend = (rollback: Event | null, swaps: number, how: Drawn = {}): void => {
    const { hasGap = false, blocks = 0 } = how
    const { draws = hasGap ? random(`${label}/gap`) : r } = how
    const parent = chain.at(-1)
    const last = parent?.events[0]?.block
    const known = new Set(parent?.known ?? [])
    const distance = Math.max(blocks, hasGap ? 30 : draws.pick([1, 1, 1, 30, 300, 700, 4000]))
    const number = (last?.number ?? 0) + distance
    const drawn = marketBlock(
      ...([label, market, `b${branch}`, number, last?.hash ?? null, swaps, known] as const)
    )
    const block = (drawn[0] as Event).block
    const gap: ReadonlyArray<Event> =
      last !== undefined && distance > 1 && (hasGap || draws.boolean(0.1))
        ? [
            {
              ...{ kind: "GapFound", block, tx: null, logIndex: 0 },
              ...{ fromBlock: last.number + 1, toBlock: number - 1, reason: "unproven" }
            } as EventOf<"GapFound">
          ]
        : []
    const facts = drawn.slice(0, -1).map(event => told(market, event))
    const extra = beside(draws, market, block, parent === undefined)
    const events = [...gap, ...facts, ...extra, drawn.at(-1) as Event]
    log.append(rollback === null ? events : [rollback, ...events])
    chain.push({ events, lastSeq: log.end.seq, known })
  }
  const fork = (depth: number): void => {
    const fromBlock = chain.at(-1)?.events[0]?.block.number ?? 0
    chain = chain.slice(0, chain.length - depth)
    branch++
    const tip = chain.at(-1)
    const block = tip?.events[0]?.block ?? { number: 0, time: 0, hash: null, parentHash: null }
    const rollback: Event = {
      ...{ kind: "Rollback", block, tx: null, logIndex: 0, toSeq: tip?.lastSeq ?? 0 },
      ...{ toBlock: block.number, toHash: block.hash, fromBlock, reason: "reorg" }
    } as EventOf<"Rollback">
    extend(rollback, r.integer(0, 9))
  }
  for (let step = 0; step < steps; step++) {
    if (chain.length > 3 && r.boolean(0.2)) fork(r.integer(1, Math.min(chain.length - 1, 12)))
    else extend(null, r.pick([0, 1, 9, 40]))
  }
  fork(r.integer(1, 3))
  // answers must show what is not known
  const isGap = ({ kind }: Event): boolean => kind === "GapFound"
  if (!chain.some(({ events }) => events.some(isGap))) extend(null, 9, { hasGap: true })
  // pools that were just made set no price, and a token without one has not graduated
  const draws = random(`${label}/of age`)
  extend(null, 40, { draws })
  extend(null, 0, { draws, blocks: OF_AGE_BLOCKS })
  // enough in the newest hour for boards that look at little more
  extend(null, 120)
  const final = new MemoryLog()
  for (const sealed of chain) final.append(sealed.events)
  return { market, log, final }
}
