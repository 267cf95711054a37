/** Trades and pool creations as the contracts log them, in lines of JSON. */
import { otherCreationLogs, otherTradeLogs } from "./kinds.ts"
import type { GeneratedChain } from "./market.ts"
import { type Pool, Q96, type Trade, tickOf, type V2Pool, type V3Pool } from "./pool-state.ts"

export interface GeneratedLog {
  readonly address: string
  readonly topics: ReadonlyArray<string>
  /** hex digits without `0x` */
  readonly data: string
  readonly isSwap: boolean
}

/** topic0 of each event, keccak256 of its signature. */
const TOPIC = {
  sync: "0x1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1",
  v2Swap: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  v2Mint: "0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f",
  pairCreated: "0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9",
  v3Swap: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  v3Initialize: "0x98636036cb66a9c19a37435efc1e90142190214e8abeb821bdba3f2990dd4c95",
  v3Mint: "0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde",
  poolCreated: "0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118"
} as const

const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, "0")

const syncLog = (pool: V2Pool): GeneratedLog => ({
  address: pool.address,
  topics: [TOPIC.sync],
  data: word(pool.reserve0) + word(pool.reserve1),
  isSwap: false
})

const v2Trade = (pool: V2Pool, trade: Trade, recipient: string): ReadonlyArray<GeneratedLog> => {
  const paid = word(trade.amountIn)
  const got = word(trade.amountOut)
  const zero = word(0n)
  const data = trade.zeroForOne ? paid + zero + zero + got : zero + paid + got + zero
  return [
    syncLog(pool),
    { address: pool.address, topics: [TOPIC.v2Swap, "", recipient], data, isSwap: true }
  ]
}

const v3State = (pool: V3Pool): string =>
  word(pool.sqrtPriceX96) + word(pool.liquidity) + word(BigInt(tickOf(pool.sqrtPriceX96)))

const v3Trade = (pool: V3Pool, trade: Trade, recipient: string): ReadonlyArray<GeneratedLog> => {
  const [amount0, amount1] = trade.zeroForOne
    ? [trade.amountIn, -trade.amountOut]
    : [-trade.amountOut, trade.amountIn]
  const data = word(amount0) + word(amount1) + v3State(pool)
  return [{ address: pool.address, topics: [TOPIC.v3Swap, "", recipient], data, isSwap: true }]
}

/** The logs of a trade after it changed the pool; `recipient` as a word. An empty topic stands
 *  for the router, which `LogLines` knows. */
export const tradeLogs = (
  pool: Pool,
  trade: Trade,
  recipient: string
): ReadonlyArray<GeneratedLog> =>
  pool.other !== undefined
    ? otherTradeLogs(pool.other, pool, trade, recipient)
    : pool.kind === "v2"
      ? v2Trade(pool, trade, recipient)
      : v3Trade(pool, trade, recipient)

/** A V3 Mint of the pool's whole liquidity over every tick. */
const v3MintLog = (pool: V3Pool): GeneratedLog => {
  const tick = Math.floor(887272 / pool.tickSpacing) * pool.tickSpacing
  const amount0 = (pool.liquidity * Q96) / pool.sqrtPriceX96
  const amount1 = (pool.liquidity * pool.sqrtPriceX96) / Q96
  return {
    address: pool.address,
    topics: [TOPIC.v3Mint, "", `0x${word(BigInt(-tick))}`, `0x${word(BigInt(tick))}`],
    data: `${"0".repeat(64)}${word(pool.liquidity)}${word(amount0)}${word(amount1)}`,
    isSwap: false
  }
}

/** The logs that make a pool and give it its first price and liquidity. */
export const creationLogs = (chain: GeneratedChain, pool: Pool): ReadonlyArray<GeneratedLog> => {
  if (pool.other !== undefined) return otherCreationLogs(pool.other, pool)
  const tokens = pool.tokens.map(token => `0x${token.word}`)
  const address = word(BigInt(pool.address))
  const rest = { isSwap: false }
  if (pool.kind === "v2") {
    const topics = [TOPIC.pairCreated, ...tokens]
    return [
      { address: chain.v2Factory, topics, data: address + word(1n), ...rest },
      syncLog(pool),
      {
        address: pool.address,
        topics: [TOPIC.v2Mint, ""],
        data: word(pool.reserve0) + word(pool.reserve1),
        ...rest
      }
    ]
  }
  const topics = [TOPIC.poolCreated, ...tokens, `0x${word(BigInt(pool.fee))}`]
  const sqrt = word(pool.sqrtPriceX96) + word(BigInt(tickOf(pool.sqrtPriceX96)))
  return [
    { address: chain.v3Factory, topics, data: word(BigInt(pool.tickSpacing)) + address, ...rest },
    { address: pool.address, topics: [TOPIC.v3Initialize], data: sqrt, ...rest },
    v3MintLog(pool)
  ]
}

/** Puts logs into lines, block by block. */
export class LogLines {
  private readonly chain: GeneratedChain
  private readonly withTxs: boolean
  private readonly routers: { readonly v2: string; readonly v3: string }
  private head = ""
  private block = 0
  private txIndex = 0
  private logIndex = 0
  private logs: Array<string> = []
  private txs: Array<string> = []
  /** characters not taken yet */
  pending = 0
  count = 0

  constructor(chain: GeneratedChain, withTxs: boolean) {
    this.chain = chain
    this.withTxs = withTxs
    const topic = (address: string) => `0x${address.slice(2).padStart(64, "0")}`
    this.routers = { v2: topic(chain.v2Router), v3: topic(chain.v3Router) }
  }

  beginBlock(number: number, time: number): void {
    this.block = number
    this.txIndex = 0
    this.logIndex = 0
    this.head = `"blockNumber":${number},"blockTimestamp":${time},"transactionHash":"0x`
  }

  private topic(log: GeneratedLog, topic: string): string {
    if (topic !== "") return topic.startsWith("0x") ? topic : `0x${topic}`
    return log.topics[0] === TOPIC.v3Swap ? this.routers.v3 : this.routers.v2
  }

  /** A transaction with its logs, after `quiet` logs of other kinds that are left out. */
  tx(hash: string, from: string, logs: ReadonlyArray<GeneratedLog>, quiet = 1): void {
    for (const log of logs) {
      this.logIndex += quiet
      const topics = log.topics.map(topic => `"${this.topic(log, topic)}"`).join(",")
      const line = `{"chainId":${this.chain.id},"address":"${log.address}","topics":[${topics}],"data":"0x${log.data}",${this.head}${hash}","transactionIndex":${this.txIndex},"logIndex":${this.logIndex}}\n`
      this.logIndex++
      this.logs.push(line)
      this.pending += line.length
      this.count++
    }
    if (this.withTxs) {
      const to = logs[0]?.topics[0] === TOPIC.v3Swap ? this.chain.v3Router : this.chain.v2Router
      this.txs.push(
        `{"chainId":${this.chain.id},"blockNumber":${this.block},"transactionIndex":${this.txIndex},"hash":"0x${hash}","from":"0x${from.slice(24)}","to":"${to}"}\n`
      )
    }
    this.txIndex++
  }

  takeLogs(): string {
    const text = this.logs.join("")
    this.logs = []
    this.pending = 0
    return text
  }

  takeTxs(): string {
    const text = this.txs.join("")
    this.txs = []
    return text
  }
}
