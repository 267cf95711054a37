/** A scripted chain with a market and a node, for tests of the engine as a process. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import { base } from "../../src/domain/chains/base.ts"
import type { Engine } from "./engine.ts"
import {
  creationTxs,
  deployEngineMarket,
  type EngineMarket,
  marketTxs,
  newEngineMarket
} from "./engine-market.ts"
import { FakeChain, type FakeTx } from "./fake-chain.ts"
import { type FakeRpc, startFakeRpc } from "./fake-rpc.ts"
import type { Faults } from "./fake-rpc-methods.ts"
import { type Random, random } from "./seed.ts"

export interface Load {
  /** milliseconds between blocks */
  readonly everyMs: number
  readonly swaps: number
  /** share of blocks at which the chain forks, up to so many blocks deep */
  readonly forks: number
  readonly deepest: number
}

/** A chain, its market and its node; blocks come when asked for, or by themselves under load. */
export class World {
  readonly config: ChainConfig
  readonly chain: FakeChain
  readonly market: EngineMarket
  readonly rpc: FakeRpc
  readonly random: Random
  /** forks so far */
  forks = 0
  private timer: NodeJS.Timeout | null = null

  constructor(config: ChainConfig, label: string, rpc: FakeRpc, parts: WorldParts) {
    this.config = config
    this.chain = parts.chain
    this.market = parts.market
    this.rpc = rpc
    this.random = random(`world ${label}`)
  }

  get endpoints(): { readonly [chainId: number]: ReadonlyArray<string> } {
    return { [this.config.id]: [this.rpc.wsUrl, this.rpc.url] }
  }

  /** Adds blocks of up to so many swaps each; now and then an empty one. */
  mine(blocks: number, swaps: number): void {
    for (let i = 0; i < blocks; i++) this.mineTxs(this.txs(swaps))
  }

  mineTxs(txs: ReadonlyArray<FakeTx>): void {
    this.chain.mine(txs)
  }

  /** Replaces the last blocks by others, one more than there were. */
  fork(depth: number, swaps: number): void {
    this.forks++
    this.chain.rewind(depth)
    this.mine(depth + 1, swaps)
  }

  /** Mines, and forks, until `rest`. */
  work({ everyMs, swaps, forks, deepest }: Load): void {
    this.rest()
    this.timer = setInterval(() => {
      if (this.random.boolean(forks)) this.fork(this.random.integer(1, deepest), swaps)
      else this.mine(1, swaps)
    }, everyMs)
  }

  rest(): void {
    if (this.timer !== null) clearInterval(this.timer)
    this.timer = null
  }

  async close(): Promise<void> {
    this.rest()
    await this.rpc.close()
  }

  private txs(swaps: number): ReadonlyArray<FakeTx> {
    const { random: r, market } = this
    if (r.boolean(0.1)) return []
    const created = r.boolean(0.05) ? creationTxs(market) : []
    const own = marketTxs(r, market, r.integer(1, swaps))
    return [...created, ...own]
  }
}

interface WorldParts {
  readonly chain: FakeChain
  readonly market: EngineMarket
}

/** Starts a node of a chain of the registry (Base unless told) with some blocks of history. */
export const startWorld = async (
  label: string,
  options: {
    readonly config?: ChainConfig
    readonly blocks?: number
    readonly swaps?: number
    readonly tokens?: number
    readonly faults?: Partial<Faults>
    /** of its node; else a free one */
    readonly port?: number
    /** Unix seconds of block 0, or a clock that gives those of each block; else long ago */
    readonly startTime?: number | (() => number)
  } = {}
): Promise<World> => {
  const { config = base, blocks = 120, swaps = 12, tokens = 6, faults = {}, port = 0 } = options
  const chain = new FakeChain(config.id, 2, "", options.startTime)
  const market = newEngineMarket(config, label, tokens)
  deployEngineMarket(chain, market)
  const rpc = await startFakeRpc(chain, label, faults, port)
  const world = new World(config, label, rpc, { chain, market })
  world.mine(blocks, swaps)
  return world
}

/** Tokens whose pages are asked for beside their tapes and candles. */
const BOARD_TOKENS = 6

/** Makes a URL one that was not asked before: stats may be given a second out of date. */
let asked = 0

/** What a lane answers about its market, by path; two engines on one chain must agree. */
export const laneAnswers = async (
  engine: Engine,
  { config, market }: Pick<World, "config" | "market">
): Promise<{ readonly [path: string]: unknown }> => {
  const answers: { [path: string]: unknown } = {}
  const ask = async (path: string, fresh = "") => {
    const { status, body } = await engine.get(`${path}${fresh}`)
    // a position is of one engine's log: where the other took no detour, it is another
    const { asOf: _, seq: __, ...facts } = body
    answers[path] = { status, body: facts }
    return body
  }
  await ask(`/tokens?chain=${config.id}&limit=100&includeUnlisted=1`)
  await ask(`/tokens/market?chain=${config.id}`)
  for (const page of ["overview", "venues", "trending", "attention", "prints?limit=500"]) {
    await ask(`/chains/${config.key}/${page}`)
  }
  for (const sort of ["volume", "change"]) {
    await ask(`/chains/${config.key}/tokens?includeUnlisted=1&limit=1000&sort=${sort}`)
  }
  for (const { address } of market.tokens.slice(0, BOARD_TOKENS)) {
    await ask(`/tokens/stats/${address}?chain=${config.id}`, `&asked=${asked++}`)
    await ask(`/chains/${config.key}/token/${address}`)
    await ask(`/chains/${config.key}/token/${address}/pools`)
    await ask(`/prices/explain?chain=${config.id}&token=${address}`)
  }
  for (const { address } of market.tokens) {
    await ask(`/tokens/trades/${address}?chain=${config.id}&limit=500`)
    for (const tf of ["1m", "15m", "1h"]) {
      await ask(`/candles?chain=${config.id}&token=${address}&tf=${tf}&limit=500`)
    }
    let before: string | null = null
    do {
      const from: string = before === null ? "" : `&before=${before}`
      const page = await ask(`/chains/${config.key}/token/${address}/trades?limit=500${from}`)
      before = page.nextBefore ?? null
    } while (before !== null)
  }
  return answers
}

/** The first answers in which two engines differ, in short; none where they agree. */
export const differences = (
  one: Awaited<ReturnType<typeof laneAnswers>>,
  other: Awaited<ReturnType<typeof laneAnswers>>
): ReadonlyArray<string> => {
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  const differing = paths.flatMap(path => {
    const [a, b] = [JSON.stringify(one[path]) ?? "", JSON.stringify(other[path]) ?? ""]
    if (a === b) return []
    let at = 0
    while (a[at] === b[at]) at++
    const part = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
    return [`${path}\n  ${part(a)}\n  ${part(b)}`]
  })
  return differing.slice(0, 5)
}
