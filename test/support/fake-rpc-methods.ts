/** The methods of a JSON-RPC node over a scripted chain, with the lies a test asks for. */
import { numberToHex } from "viem"
import {
  DEPOSIT_GAS,
  type FakeBlock,
  type FakeChain,
  type RpcLogJson,
  rpcLogs,
  rpcReceiptFields,
  SAME_FIELDS
} from "./fake-chain.ts"
import type { Random } from "./seed.ts"

/** What goes wrong; numbers between 0 and 1 are the share of answers concerned. */
export interface Faults {
  /** answers that are no JSON-RPC answer at all */
  rateLimit: number
  hang: number
  html: number
  reset: number
  truncate: number
  errorObject: number
  /** of methods that it has */
  noMethod: number
  /** answers that are well-formed and wrong */
  dropLogs: number
  repeatLogs: number
  reorderLogs: number
  wrongBlockHash: number
  oldHead: number
  nullBlock: number
  /** of which chain the newest block is told instead of the own one's */
  headOf: FakeChain | null
  /** milliseconds by which each answer over HTTP is late */
  lateMs: number
  /** blocks by which the node is behind the chain */
  lag: number
  /** limits and gaps of the node */
  rangeLimit: number
  resultLimit: number
  /** what the node says instead of naming its limit */
  limitText: string | null
  noReceipts: boolean
  noOneReceipt: boolean
  /** index of a log of each block that the node never tells of */
  hidden: number | null
  /** times that the node tells it nevertheless, before it never does */
  toldFirst: number
  /** the first of the logs asked for is told with a topic that no bloom shows */
  invented: boolean
  /** of so many of the newest blocks the node has kept logs; and receipts, or their logs */
  keepsLogs: number
  /** only so many newest blocks, and nothing at all of those before */
  keepsBlocks: number
  keepsReceipts: number
  keepsReceiptLogs: number
  /** of so many it has kept transactions, and all that came of them; of others it tells none */
  keepsTransactions: number
  /** number of a block of which it has no receipts */
  forgotten: number | null
  /** so many times it tells that it serves another chain */
  wrongIds: number
  /** headers with blooms that show nothing, or without their transactions */
  blankBlooms: boolean
  noTransactions: boolean
  /** headers lack a field that their hash is made of */
  bareHeaders: boolean
  /** seconds added to the time of each block, of which the hash knows nothing */
  wrongTime: number
  /** transactions have other hashes in blocks, receipts and logs; other senders in receipts */
  wrongHashes: boolean
  wrongSenders: boolean
  /** amounts of logs are others; receipts lack fields that their root is made of */
  wrongAmounts: boolean
  bareReceipts: boolean
  /** no block is told, not the newest either */
  nothing: boolean
  noBatch: boolean
  noState: boolean
}

/** The faults that strike by chance. */
export type Chance = Exclude<
  { [F in keyof Faults]: Faults[F] extends number ? F : never }[keyof Faults],
  | "lateMs"
  | "lag"
  | "rangeLimit"
  | "resultLimit"
  | "wrongIds"
  | "wrongTime"
  | "keepsLogs"
  | "keepsBlocks"
  | "keepsReceipts"
  | "keepsReceiptLogs"
  | "keepsTransactions"
>

export const noFaults = (): Faults => ({
  rateLimit: 0,
  hang: 0,
  html: 0,
  reset: 0,
  truncate: 0,
  errorObject: 0,
  noMethod: 0,
  dropLogs: 0,
  repeatLogs: 0,
  reorderLogs: 0,
  wrongBlockHash: 0,
  oldHead: 0,
  nullBlock: 0,
  headOf: null,
  lateMs: 0,
  lag: 0,
  rangeLimit: Number.POSITIVE_INFINITY,
  resultLimit: Number.POSITIVE_INFINITY,
  limitText: null,
  noReceipts: false,
  noOneReceipt: false,
  hidden: null,
  toldFirst: 0,
  invented: false,
  keepsLogs: Number.POSITIVE_INFINITY,
  keepsBlocks: Number.POSITIVE_INFINITY,
  keepsReceipts: Number.POSITIVE_INFINITY,
  keepsReceiptLogs: Number.POSITIVE_INFINITY,
  keepsTransactions: Number.POSITIVE_INFINITY,
  forgotten: null,
  wrongIds: 0,
  blankBlooms: false,
  noTransactions: false,
  bareHeaders: false,
  wrongTime: 0,
  wrongHashes: false,
  wrongSenders: false,
  wrongAmounts: false,
  bareReceipts: false,
  nothing: false,
  noBatch: false,
  noState: false
})

/** The chance at which a fault that has not struck yet does. */
const SURELY_BY = 20

const LIAR = `0x${"de".repeat(20)}` as const

/** An error object of the node. */
export class NodeError {
  readonly code: number
  readonly message: string

  constructor(code: number, message: string) {
    this.code = code
    this.message = message
  }
}

const header = (block: FakeBlock, full: boolean) => ({
  ...SAME_FIELDS,
  number: numberToHex(block.number),
  hash: block.hash,
  parentHash: block.parentHash,
  timestamp: numberToHex(block.timestamp),
  logsBloom: block.logsBloom,
  receiptsRoot: block.receiptsRoot,
  transactionsRoot: block.transactionsRoot,
  mixHash: block.mixHash,
  transactions: full
    ? block.txs.map((tx, index) => ({
        ...{ hash: tx.hash, from: tx.from, to: tx.to, transactionIndex: numberToHex(index) },
        ...{ type: "0x7e", sourceHash: tx.sourceHash, gas: DEPOSIT_GAS, isSystemTx: false },
        ...{ mint: "0x0", value: "0x0", input: "0x", nonce: "0x0" }
      }))
    : block.txs.map(tx => tx.hash)
})

/** A header as `newHeads` pushes it, where its node tells it so. */
export const pushedHeader = (block: FakeBlock, wrongTime = 0) => {
  const { transactions: _, ...rest } = header(block, false)
  return { ...rest, timestamp: numberToHex(block.timestamp + wrongTime) }
}

interface LogFilter {
  readonly fromBlock?: string
  readonly toBlock?: string
  readonly blockHash?: string
  readonly address?: string | ReadonlyArray<string>
  readonly topics?: ReadonlyArray<ReadonlyArray<string> | string | null>
}

export class FakeNode {
  readonly chain: FakeChain
  readonly faults: Faults
  private readonly random: Random
  readonly calls = new Map<string, number>()
  /** how often each fault has struck, and how often it could have */
  readonly struck = new Map<Chance, number>()
  private readonly chances = new Map<Chance, number>()

  constructor(chain: FakeChain, faults: Faults, random: Random) {
    this.chain = chain
    this.faults = faults
    this.random = random
  }

  /**
   * Whether a fault strikes now; counted where it does. One that is wanted at all strikes at the
   * latest when it could for the twentieth time: what never struck would prove nothing.
   */
  strikes(fault: Chance): boolean {
    const probability = this.faults[fault]
    if (probability === 0) return false
    const chances = (this.chances.get(fault) ?? 0) + 1
    this.chances.set(fault, chances)
    const struck = this.struck.get(fault) ?? 0
    const now = this.random.boolean(probability) || (struck === 0 && chances >= SURELY_BY)
    if (now) this.struck.set(fault, struck + 1)
    return now
  }

  /** the newest block that this node has */
  private get newest(): number {
    return Math.max(0, this.chain.head.number - this.faults.lag)
  }

  private block(tag: unknown): FakeBlock | undefined {
    if (this.faults.nothing) return undefined
    if (tag === "latest") {
      if (this.faults.headOf !== null) return this.faults.headOf.head
      const back = this.strikes("oldHead") ? this.random.integer(1, 3) : 0
      return this.chain.at(Math.max(0, this.newest - back))
    }
    if (this.strikes("nullBlock") || Number(tag) > this.newest) return undefined
    const block = this.chain.at(Number(tag))
    return block !== undefined && this.isKept(block, this.faults.keepsBlocks) ? block : undefined
  }

  /** A block with the transactions that the node tells of. */
  private told(block: FakeBlock): FakeBlock {
    if (!this.isKept(block, this.faults.keepsTransactions)) return { ...block, txs: [] }
    if (!this.faults.wrongHashes) return block
    const other = (hash: `0x${string}`) => `0x5a5a${hash.slice(6)}` as const
    return { ...block, txs: block.txs.map(tx => ({ ...tx, hash: other(tx.hash) })) }
  }

  private header(block: FakeBlock, full: boolean) {
    const { blankBlooms, noTransactions, bareHeaders, wrongTime } = this.faults
    const { mixHash, ...told } = header(this.told(block), full)
    return {
      ...told,
      timestamp: numberToHex(block.timestamp + wrongTime),
      ...(!bareHeaders && { mixHash }),
      ...(blankBlooms && { logsBloom: numberToHex(0, { size: 256 }) }),
      ...(noTransactions && { transactions: [] })
    }
  }

  /** Whether the block is one of so many of the newest. */
  private isKept({ number }: FakeBlock, newest: number): boolean {
    return number > this.newest - newest
  }

  private hasReceipts(block: FakeBlock): boolean {
    const { keepsReceipts, forgotten } = this.faults
    return this.isKept(block, keepsReceipts) && block.number !== forgotten
  }

  private lie(logs: ReadonlyArray<RpcLogJson>): ReadonlyArray<RpcLogJson> {
    const { hidden } = this.faults
    let told = logs.filter(log => Number(log.logIndex) !== hidden)
    if (told.length < logs.length && this.faults.toldFirst > 0) {
      this.faults.toldFirst--
      told = [...logs]
    }
    if (this.faults.invented) {
      const topic = `0x${"5a".repeat(32)}` as const
      told = told.map((log, i) => (i > 0 ? log : { ...log, topics: [...log.topics, topic] }))
    }
    if (this.faults.wrongAmounts) {
      told = told.map(log => ({ ...log, data: `0x${log.data.slice(2, -2)}77` as const }))
    }
    if (this.strikes("dropLogs")) told = told.filter(() => this.random.boolean(0.6))
    if (this.strikes("repeatLogs")) told = told.flatMap(log => [log, log])
    if (this.strikes("reorderLogs")) told = this.random.shuffle(told)
    if (this.strikes("wrongBlockHash")) {
      told = told.map(log => ({ ...log, blockHash: `0x${"ab".repeat(32)}` as const }))
    }
    return told
  }

  private getLogs(filter: LogFilter): unknown {
    const wanted = filter.topics?.[0]
    const topics = new Set(wanted === undefined || wanted === null ? [] : [wanted].flat())
    const addresses = filter.address === undefined ? null : [filter.address].flat()
    const pick = (block: FakeBlock) =>
      rpcLogs(this.told(block)).filter(
        log =>
          this.isKept(block, this.faults.keepsLogs) &&
          (topics.size === 0 || topics.has(log.topics[0] ?? "")) &&
          (addresses === null || addresses.includes(log.address))
      )
    if (filter.blockHash !== undefined) {
      const block = this.chain.find(filter.blockHash)
      if (block === undefined) throw new NodeError(-32000, "unknown block")
      return this.lie(pick(block))
    }
    const from = Number(filter.fromBlock)
    const to = Math.min(Number(filter.toBlock), this.newest)
    if (to - from + 1 > this.faults.rangeLimit) {
      const { rangeLimit, limitText } = this.faults
      throw new NodeError(-32000, limitText ?? `exceed maximum block range: ${rangeLimit}`)
    }
    const logs = this.chain.blocks.slice(from, to + 1).flatMap(pick)
    if (logs.length > this.faults.resultLimit) {
      throw new NodeError(-32005, `query returned more than ${this.faults.resultLimit} results`)
    }
    return this.lie(logs)
  }

  private receipts(mined: FakeBlock) {
    const block = this.told(mined)
    const isKept = this.isKept(block, this.faults.keepsReceiptLogs)
    const logs = isKept ? this.lie(rpcLogs(block)) : []
    return block.txs.map((tx, index) => ({
      transactionHash: tx.hash,
      transactionIndex: numberToHex(index),
      blockHash: block.hash,
      blockNumber: numberToHex(block.number),
      from: this.faults.wrongSenders ? LIAR : tx.from,
      to: tx.to,
      ...rpcReceiptFields(tx, index),
      ...(this.faults.bareReceipts && { cumulativeGasUsed: undefined }),
      logs: logs.filter(log => Number(log.transactionIndex) === index)
    }))
  }

  private call(request: { readonly to: string; readonly data: string }, tag: unknown): unknown {
    if (this.faults.noState && tag !== "latest") throw new NodeError(-32000, "missing trie node")
    if (tag !== "latest" && Number(tag) > this.chain.head.number) {
      throw new NodeError(-32000, "header not found")
    }
    const contract = this.chain.contracts.get(request.to)
    if (contract === undefined) return "0x"
    const answer = contract[request.data.slice(0, 10) as `0x${string}`]
    if (answer === null || answer === undefined) throw new NodeError(3, "execution reverted")
    if (typeof answer === "string") return answer
    return answer(tag === "latest" ? this.newest : Number(tag))
  }

  private code(address: string, tag: unknown): string {
    if (this.faults.noState && tag !== "latest") throw new NodeError(-32000, "missing trie node")
    const block = tag === "latest" ? this.newest : Number(tag)
    const created = this.chain.createdAt.get(address) ?? 0
    return this.chain.contracts.has(address) && block >= created ? "0x60" : "0x"
  }

  /** The result of a call; throws `NodeError`. */
  answer(method: string, params: ReadonlyArray<unknown>): unknown {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1)
    if (this.strikes("errorObject")) throw new NodeError(-32603, "internal error")
    if (this.strikes("noMethod")) throw new NodeError(-32601, "the method does not exist")
    switch (method) {
      case "eth_chainId":
        return numberToHex(this.faults.wrongIds-- > 0 ? 137 : this.chain.chainId)
      case "eth_blockNumber":
        return numberToHex(this.newest)
      case "eth_getBlockByNumber": {
        const block = this.block(params[0])
        return block === undefined ? null : this.header(block, params[1] === true)
      }
      case "eth_getBlockByHash": {
        const block = this.chain.find(String(params[0]))
        return block === undefined ? null : this.header(block, params[1] === true)
      }
      case "eth_getLogs":
        return this.getLogs(params[0] as LogFilter)
      case "eth_getBlockReceipts": {
        if (this.faults.noReceipts) throw new NodeError(-32601, "the method does not exist")
        const block = this.block(params[0])
        return block === undefined || !this.hasReceipts(block) ? null : this.receipts(block)
      }
      case "eth_getTransactionReceipt": {
        if (this.faults.noOneReceipt) throw new NodeError(-32601, "the method does not exist")
        const block = this.chain.blocks.find(one => one.txs.some(tx => tx.hash === params[0]))
        return block === undefined || !this.hasReceipts(block)
          ? null
          : this.receipts(block).find(receipt => receipt.transactionHash === params[0])
      }
      case "eth_getCode":
        return this.code(String(params[0]), params[1])
      case "eth_call":
        return this.call(params[0] as { to: string; data: string }, params[1])
      default:
        throw new NodeError(-32601, `the method ${method} does not exist`)
    }
  }
}
