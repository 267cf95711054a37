/** Blocks of a scripted chain with swaps of a generated market, one of them in a known pool. */
import { type Hex, pad, stringToHex, toHex } from "viem"
import { seededRandom } from "../../streams/sources/devchain/random.ts"
import type { FakeChain, FakeTx } from "../../test/support/fake-chain.ts"
import type { FakeLog } from "../../test/support/fake-logs.ts"
import { creationLogs, type GeneratedLog, tradeLogs } from "../generate/log-lines.ts"
import { addressWord, base, makeMarket } from "../generate/market.ts"
import { type Pool, trade } from "../generate/pool-state.ts"

const TOKENS = 40
const WALLET: Hex = `0x${"7a".repeat(20)}`

const word = (value: bigint | number): Hex => pad(toHex(value), { size: 32 })

/** `string` as the ABI encodes it. */
const abiText = (text: string): Hex => {
  const bytes = stringToHex(text).slice(2)
  const length = word(bytes.length / 2).slice(2)
  return `${word(32)}${length}${bytes.padEnd(64, "0")}`
}

/** What the functions of an ERC-20 answer, by selector. */
const tokenContract = (symbol: string, decimals: number) => ({
  "0x95d89b41": abiText(symbol),
  "0x06fdde03": abiText(`Token ${symbol}`),
  "0x313ce567": word(decimals),
  "0x18160ddd": word(10n ** 27n)
})

const routerWord = (log: GeneratedLog): string =>
  addressWord(log.topics.length === 3 ? base.v3Router : base.v2Router)

const prefixed = (topic: string): Hex => (topic.startsWith("0x") ? (topic as Hex) : `0x${topic}`)

const fakeLog = (log: GeneratedLog): FakeLog => ({
  address: log.address as Hex,
  topics: log.topics.map(topic => prefixed(topic === "" ? routerWord(log) : topic)),
  data: `0x${log.data}`
})

const txOf = (pool: Pool, logs: ReadonlyArray<GeneratedLog>): FakeTx => ({
  from: WALLET,
  to: (pool.kind === "v2" ? base.v2Router : base.v3Router) as Hex,
  logs: logs.map(fakeLog)
})

export interface FakeMarket {
  /** the token that trades in every block */
  readonly token: string
  /** transactions of one block with so many swaps */
  readonly block: (swaps: number) => ReadonlyArray<FakeTx>
}

/** Puts the tokens' contracts on the chain and mines the block that creates all pools. */
export const launchMarket = (chain: FakeChain): FakeMarket => {
  const market = makeMarket(base, TOKENS, "latency")
  const random = seededRandom("latency", "trades")
  for (const { address, symbol, decimals } of market.tokens) {
    chain.contracts.set(address, tokenContract(symbol, decimals))
  }
  chain.mine(market.pools.map(pool => txOf(pool, creationLogs(base, pool))))
  const [, , watched] = market.tokens
  const watchedPool = market.pools.find(({ tokens }) => tokens.some(token => token === watched))
  if (watched === undefined || watchedPool === undefined) throw new Error("the market is empty")
  const swap = (pool: Pool): FakeTx => {
    const done = trade(pool, random.next() < 0.5, 1 + Math.floor(random.next() * 1000))
    return txOf(pool, tradeLogs(pool, done, addressWord(WALLET)))
  }
  return {
    token: watched.address,
    block: swaps => [
      ...Array.from({ length: Math.max(0, swaps - 1) }, () => swap(random.pick(market.pools))),
      swap(watchedPool)
    ]
  }
}
