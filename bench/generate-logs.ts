/**
 * Writes NDJSON of raw V2 and V3 logs with realistic skew, for the ingest bench: pools are created
 * first, then wallets trade them; reserves and prices evolve as the contracts' would. With
 * `--mixed` pools of other kinds are among them.
 *
 *   npx tsx bench/generate-logs.ts --out FILE --tokens-out FILE [--txs-out FILE]
 *     [--tokens 5000] [--wallets 50000] [--swaps 1000000] [--seed text] [--mixed]
 */

import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { writeFile } from "node:fs/promises"
import { PassThrough, type Writable } from "node:stream"
import { parseArgs } from "node:util"
import { createGzip } from "node:zlib"
import { type Random, seededRandom } from "../streams/sources/devchain/random.ts"
import { ofSomeKind } from "./generate/kinds.ts"
import { creationLogs, type GeneratedLog, LogLines, tradeLogs } from "./generate/log-lines.ts"
import {
  addressWord,
  base,
  type GeneratedChain,
  type Market,
  makeMarket,
  randomHex
} from "./generate/market.ts"
import { type Pool, priceOf, trade, tradeExact } from "./generate/pool-state.ts"
import { weightedIndex, zipfWeights } from "./generate/weights.ts"

export interface GenerateOptions {
  readonly chain?: GeneratedChain
  readonly tokens: number
  readonly wallets: number
  readonly swaps: number
  readonly seed: string
  /** pools of eight kinds, not of Uniswap V2 and V3 only */
  readonly mixed?: boolean
  /** where the logs go; gzip where it ends in `.gz` */
  readonly out: string
  readonly tokensOut?: string
  readonly txsOut?: string
}

export interface Generated {
  readonly logs: number
  readonly swaps: number
  readonly pools: number
  readonly blocks: number
  readonly bytes: number
}

const START_BLOCK = 20_000_000
const START_TIME = 1_726_789_347
const SWAPS_PER_BLOCK = 20

/** Sells token 0 more often the further its price has risen, so that prices wander and return. */
const direction = (pool: Pool, random: Random): boolean => {
  const drift = Math.log(priceOf(pool) / pool.startPrice)
  return random.next() < 0.5 + Math.max(-0.4, Math.min(0.4, drift))
}

class Sink {
  readonly stream: Writable
  private readonly end: Writable
  bytes = 0

  constructor(path: string) {
    this.end = createWriteStream(path)
    this.stream = path.endsWith(".gz") ? createGzip({ level: 1 }) : new PassThrough()
    this.stream.pipe(this.end)
  }

  async write(text: string): Promise<void> {
    this.bytes += text.length
    if (!this.stream.write(text, "latin1")) await once(this.stream, "drain")
  }

  async close(): Promise<void> {
    this.stream.end()
    await once(this.end, "close")
  }
}

/** One transaction's logs: a swap, or two hops through the wrapped native or the dollar. */
const swapTx = (
  market: Market,
  drawPool: () => number,
  wallet: string,
  random: Random
): ReadonlyArray<GeneratedLog> => {
  const pool = market.pools[drawPool()] as Pool
  const zeroForOne = direction(pool, random)
  const share = Math.round(Math.min(20_000, random.logNormal(400, 1.2)))
  const done = trade(pool, zeroForOne, share)
  const bought = pool.tokens[zeroForOne ? 1 : 0]
  const next = market.pools[drawPool()] as Pool
  const place = next.tokens.indexOf(bought)
  if (!random.chance(0.25) || next === pool || place < 0 || done.amountOut === 0n) {
    return tradeLogs(pool, done, wallet)
  }
  const second = tradeExact(next, place === 0, done.amountOut)
  return [...tradeLogs(pool, done, addressWord(next.address)), ...tradeLogs(next, second, wallet)]
}

const isSwap = (log: GeneratedLog): boolean => log.isSwap

const marketOf = (chain: GeneratedChain, { tokens, seed, mixed }: GenerateOptions): Market => {
  const market = makeMarket(chain, tokens, seed)
  if (mixed !== true) return market
  const random = seededRandom(seed, "kinds")
  return { ...market, pools: market.pools.map(pool => ofSomeKind(pool, random)) }
}

/** Writes the files; the same options give the same bytes. */
export const generateLogs = async (options: GenerateOptions): Promise<Generated> => {
  const chain = options.chain ?? base
  const market = marketOf(chain, options)
  const random = seededRandom(options.seed, "trades")
  const wallets = Array.from({ length: options.wallets }, () =>
    addressWord(`0x${randomHex(random, 20)}`)
  )
  const drawWallet = weightedIndex(zipfWeights(options.wallets, 0.9), random.next)
  const drawPool = weightedIndex(market.weights, random.next)
  const lines = new LogLines(chain, options.txsOut !== undefined)
  const out = new Sink(options.out)
  const txs = options.txsOut === undefined ? null : new Sink(options.txsOut)
  const flush = async () => {
    await out.write(lines.takeLogs())
    if (txs !== null) await txs.write(lines.takeTxs())
  }
  let block = START_BLOCK
  let swaps = 0
  for (let at = 0; at < market.pools.length; at += 50, block++) {
    lines.beginBlock(block, START_TIME + (block - START_BLOCK) * 2)
    for (const pool of market.pools.slice(at, at + 50)) {
      lines.tx(randomHex(random, 32), wallets[0] as string, creationLogs(chain, pool))
    }
    await flush()
  }
  while (swaps < options.swaps) {
    lines.beginBlock(block, START_TIME + (block - START_BLOCK) * 2)
    block++
    const target = random.between(0, SWAPS_PER_BLOCK * 2)
    for (let done = 0; done < target && swaps < options.swaps; ) {
      const wallet = wallets[drawWallet()] as string
      const logs = swapTx(market, drawPool, wallet, random)
      lines.tx(randomHex(random, 32), wallet, logs, random.between(0, 3))
      const made = logs.filter(isSwap).length
      done += made
      swaps += made
    }
    if (lines.pending > 1 << 20) await flush()
  }
  await flush()
  await Promise.all([out.close(), txs?.close()])
  if (options.tokensOut !== undefined) {
    const facts = market.tokens.map(({ address, symbol, decimals }) =>
      JSON.stringify({ address, symbol, name: `Token ${symbol}`, decimals })
    )
    await writeFile(options.tokensOut, `${facts.join("\n")}\n`)
  }
  const blocks = block - START_BLOCK
  return { logs: lines.count, swaps, pools: market.pools.length, blocks, bytes: out.bytes }
}

const main = async () => {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      "tokens-out": { type: "string" },
      "txs-out": { type: "string" },
      tokens: { type: "string", default: "5000" },
      wallets: { type: "string", default: "50000" },
      swaps: { type: "string", default: "1000000" },
      seed: { type: "string", default: "swaptape" },
      mixed: { type: "boolean", default: false }
    }
  })
  if (values.out === undefined) throw new Error("--out FILE is needed")
  const done = await generateLogs({
    tokens: Number(values.tokens),
    wallets: Number(values.wallets),
    swaps: Number(values.swaps),
    seed: values.seed,
    mixed: values.mixed,
    out: values.out,
    ...(values["tokens-out"] === undefined ? {} : { tokensOut: values["tokens-out"] }),
    ...(values["txs-out"] === undefined ? {} : { txsOut: values["txs-out"] })
  })
  console.log(JSON.stringify(done))
}

if (process.argv[1] === import.meta.filename) await main()
