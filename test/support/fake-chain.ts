/**
 * A scripted EVM chain: blocks with transactions and logs, forks, contracts that answer calls.
 * Headers are consistent: hashes, roots, blooms and log indexes are right unless a test lies.
 */
import { concatHex, type Hex, toHex, toRlp } from "viem"
import { fromHex } from "../../src/domain/address.ts"
import { keccak256 as keccakBytes } from "../../src/platform/keccak.ts"
import { orderedTrieRoot, receiptsRoot } from "../../streams/sources/evm-rpc/receipts-root.ts"
import { bloomOf } from "./fake-bloom.ts"
import type { FakeLog } from "./fake-logs.ts"

export interface FakeTx {
  readonly from: Hex
  readonly to: Hex | null
  readonly logs: ReadonlyArray<FakeLog>
}

export interface SentTx extends FakeTx {
  readonly hash: Hex
  /** of an OP stack deposit, which names its sender without a signature */
  readonly sourceHash: Hex
}

export interface FakeBlock {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: number
  readonly logsBloom: Hex
  readonly receiptsRoot: string
  readonly transactionsRoot: string
  /** makes its hash its own */
  readonly mixHash: Hex
  readonly txs: ReadonlyArray<SentTx>
}

/** What a contract answers: the same always, or by block; `null` reverts. */
type FakeAnswer = Hex | null | ((block: number) => Hex)

/** Answers by selector. */
export type FakeContract = { readonly [selector: Hex]: FakeAnswer }

const keccak256 = (hex: Hex): Hex => toHex(keccakBytes(fromHex(hex)))

/** Every transaction is a deposit of 21,000 gas that brings and calls nothing. */
export const DEPOSIT_GAS = toHex(21_000)

/** The bytes whose hash is the transaction's. */
const depositOf = ({ from, to }: FakeTx, sourceHash: Hex): Hex =>
  concatHex(["0x7e", toRlp([sourceHash, from, to ?? "0x", "0x", "0x", DEPOSIT_GAS, "0x", "0x"])])

const send = (tx: FakeTx, sourceHash: Hex) => {
  const raw = depositOf(tx, sourceHash)
  return { raw, sent: { ...tx, hash: keccak256(raw), sourceHash } }
}

const ZEROS = (bytes: number): Hex => `0x${"00".repeat(bytes)}`

/** What a header says besides what differs from block to block. */
export const SAME_FIELDS = {
  sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347",
  miner: ZEROS(20),
  stateRoot: ZEROS(32),
  difficulty: "0x0",
  gasLimit: "0x1c9c380",
  gasUsed: "0x0",
  extraData: "0x",
  nonce: ZEROS(8),
  baseFeePerGas: "0x7"
} as const

type Unsealed = Omit<FakeBlock, "hash" | "txs">

const minimal = (value: number): Hex => (value === 0 ? "0x" : toHex(value))
const even = (hex: Hex): Hex => (hex.length % 2 === 0 ? hex : `0x0${hex.slice(2)}`)

/** The hash of the header, as Ethereum has it since London. */
const hashOf = (block: Unsealed): Hex => {
  const { sha3Uncles, miner, stateRoot, gasLimit, nonce } = SAME_FIELDS
  const roots = [block.transactionsRoot as Hex, block.receiptsRoot as Hex, block.logsBloom]
  const first = [block.parentHash, sha3Uncles, miner, stateRoot, ...roots, "0x" as Hex]
  const numbers = [minimal(block.number), gasLimit, "0x" as Hex, minimal(block.timestamp)]
  return keccak256(toRlp([...first, ...numbers.map(even), "0x", block.mixHash, nonce, "0x07"]))
}

/** A log in JSON-RPC form. */
export const rpcLogs = (block: FakeBlock) => {
  let logIndex = 0
  return block.txs.flatMap((tx, transactionIndex) =>
    tx.logs.map(log => ({
      ...log,
      blockNumber: toHex(block.number),
      blockHash: block.hash,
      transactionHash: tx.hash,
      transactionIndex: toHex(transactionIndex),
      logIndex: toHex(logIndex++),
      removed: false
    }))
  )
}

/** What the receipts root commits to; every transaction is a deposit and succeeds. */
export const rpcReceiptFields = (tx: FakeTx, index: number) => ({
  type: "0x7e",
  status: "0x1",
  cumulativeGasUsed: toHex(21_000 * (index + 1)),
  logsBloom: bloomOf(tx.logs)
})

const rootOf = (txs: ReadonlyArray<FakeTx>): string =>
  receiptsRoot(
    txs.map((tx, index) => {
      const { logsBloom, cumulativeGasUsed } = rpcReceiptFields(tx, index)
      const fields = { type: 0x7e, status: "0x1", root: null, deposit: null }
      const logs = tx.logs.map(log => ({ ...log, ...NOWHERE }))
      return { consensus: { ...fields, bloom: logsBloom, cumulativeGasUsed }, logs }
    })
  ) ?? ""

/** The root does not depend on where a log stands. */
const NOWHERE = { block: 0, blockHash: "", txHash: "", txIndex: 0, index: 0 }

export type RpcLogJson = ReturnType<typeof rpcLogs>[number]

export class FakeChain {
  readonly chainId: number
  readonly contracts = new Map<string, FakeContract>()
  /** first block with the contract's code; 0 where it is not told */
  readonly createdAt = new Map<string, number>()
  private readonly canonical: Array<FakeBlock> = []
  private readonly byHash = new Map<string, FakeBlock>()
  private readonly listeners = new Set<(block: FakeBlock) => void>()
  private salt = 0
  readonly blockTime: number

  /** what it mines has hashes of its own, by `name` */
  private readonly name: string

  /** Unix seconds of the block with a number */
  private readonly timeOf: (number: number) => number

  /** @param time Unix seconds of block 0, or what gives those of each block when it is mined */
  constructor(
    chainId = 8453,
    blockTime = 2,
    name = "",
    time: number | (() => number) = 1_700_000_000
  ) {
    this.timeOf = typeof time === "number" ? number => time + number * blockTime : time
    this.chainId = chainId
    this.name = name
    this.blockTime = blockTime
    this.mine([])
  }

  get head(): FakeBlock {
    return this.canonical[this.canonical.length - 1] as FakeBlock
  }

  get blocks(): ReadonlyArray<FakeBlock> {
    return this.canonical
  }

  at(number: number): FakeBlock | undefined {
    return this.canonical[number]
  }

  find(hash: string): FakeBlock | undefined {
    return this.byHash.get(hash)
  }

  isCanonical(block: FakeBlock): boolean {
    return this.canonical[block.number] === block
  }

  onBlock(listener: (block: FakeBlock) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Appends a block to the canonical chain. */
  mine(txs: ReadonlyArray<FakeTx>): FakeBlock {
    const parent = this.canonical[this.canonical.length - 1]
    const number = parent === undefined ? 0 : parent.number + 1
    const salt = `${this.salt++}${this.name}`
    const sent = txs.map((tx, index) =>
      send(tx, keccak256(toHex(`tx ${this.chainId} ${number} ${salt} ${index}`)))
    )
    const header: Unsealed = {
      number,
      parentHash: parent?.hash ?? ZEROS(32),
      timestamp: this.timeOf(number),
      logsBloom: bloomOf(txs.flatMap(tx => tx.logs)),
      receiptsRoot: rootOf(txs),
      transactionsRoot: orderedTrieRoot(sent.map(({ raw }) => fromHex(raw))),
      mixHash: keccak256(toHex(`block ${this.chainId} ${number} ${salt}`))
    }
    const block: FakeBlock = { ...header, hash: hashOf(header), txs: sent.map(one => one.sent) }
    this.canonical.push(block)
    this.byHash.set(block.hash, block)
    for (const listener of this.listeners) listener(block)
    return block
  }

  /** Takes another node's view: its blocks up to a height. */
  adopt(other: FakeChain, height = other.head.number): void {
    this.canonical.length = 0
    for (const block of other.canonical.slice(0, height + 1)) {
      this.canonical.push(block)
      this.byHash.set(block.hash, block)
    }
    for (const [address, contract] of other.contracts) this.contracts.set(address, contract)
    for (const [address, block] of other.createdAt) this.createdAt.set(address, block)
    for (const listener of this.listeners) listener(this.head)
  }

  /** Takes the last `depth` blocks off; they stay known by hash. */
  rewind(depth: number): void {
    this.canonical.length = Math.max(1, this.canonical.length - depth)
  }
}
