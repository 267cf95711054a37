/** A chain of Solana in memory, and nodes that tell of it as a test wants: truly or not. */
import { toBase58 } from "../../src/domain/base58.ts"
import { type LocalAnswer, type LocalServer, localServer } from "./local-http.ts"

export interface FakeBlock {
  readonly slot: number
  readonly blockhash: string
  readonly parentSlot: number
  readonly previousBlockhash: string
  readonly blockHeight: number
  readonly signatures: ReadonlyArray<string>
}

/**
 * A hash that is the same in every run: of the block of a branch that was made so many-th, and of 0
 * before the first.
 */
const hashOf = (made: number, branch: number): string => {
  const bytes = new Uint8Array(32).fill(branch)
  new DataView(bytes.buffer).setUint32(0, made)
  return toBase58(bytes)
}

/** Blocks that stand on one before it is final. */
const FINAL_DEPTH = 6

export class FakeSolana {
  blocks: Array<FakeBlock> = []
  /** the newest slot, with or without a block */
  slot: number
  /** of chains that were grown alike, those of other branches make other blocks from now on */
  branch = 9
  private made = 0

  constructor(first = 1_000) {
    this.slot = first - 1
    this.produce()
  }

  get head(): FakeBlock {
    return this.blocks[this.blocks.length - 1] as FakeBlock
  }

  get finalized(): number {
    return (this.blocks[this.blocks.length - 1 - FINAL_DEPTH] ?? (this.blocks[0] as FakeBlock)).slot
  }

  at(slot: number): FakeBlock | undefined {
    return this.blocks.find(block => block.slot === slot)
  }

  /** Makes a block in the slot after `skipped` others. */
  produce(skipped = 0): FakeBlock {
    this.slot += 1 + skipped
    const parent = this.blocks[this.blocks.length - 1]
    const number = ++this.made
    const signatures = Array.from({ length: 3 }, (_, i) =>
      `signature${number}x${i}`.padEnd(88, "s")
    )
    const block = {
      ...{ slot: this.slot, blockhash: hashOf(number, this.branch), signatures },
      parentSlot: parent?.slot ?? this.slot - 1,
      previousBlockhash: parent?.blockhash ?? hashOf(0, this.branch),
      blockHeight: (parent?.blockHeight ?? 0) + 1
    }
    this.blocks.push(block)
    return block
  }

  /** Takes the newest blocks back, as a leader does that builds on an older one. */
  fork(depth: number): void {
    this.blocks.length -= depth
  }
}

/** A chain of so many blocks, with skipped slots ahead of every third. */
export const grown = (count: number, skipping = 0): FakeSolana => {
  const chain = new FakeSolana()
  for (let i = 1; i < count; i++) chain.produce(i % 3 === 0 ? skipping : 0)
  return chain
}

export interface FakeCall {
  readonly id: unknown
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

interface Wanted {
  readonly commitment?: string
  readonly transactionDetails?: string
}

export const blockResult = (block: FakeBlock, details: string) => {
  const { slot, signatures, ...rest } = block
  const told = { ...rest, blockTime: 5 + slot }
  if (details === "none") return told
  if (details === "signatures") return { ...told, signatures }
  const meta = { err: null, preBalances: [], postBalances: [] }
  const transactions = signatures.map(one => ({
    transaction: { signatures: [one], message: { accountKeys: ["payer"], instructions: [] } },
    meta
  }))
  return { ...told, transactions }
}

const refused = (code: number, message: string) => ({ error: { code, message } })

/** What an honest node answers: `result`, or `error`. */
export const honestAnswer = (chain: FakeSolana, { method, params }: FakeCall): object => {
  const config = (params.find(one => typeof one === "object") ?? {}) as Wanted
  const tip = config.commitment === "finalized" ? chain.finalized : chain.head.slot
  const [first, second] = params as ReadonlyArray<number>
  if (method === "getGenesisHash") return { result: "genesis" }
  if (method === "getSlot") return { result: tip }
  if (method === "getBlocks") {
    const slots = chain.blocks.map(({ slot }) => slot)
    return { result: slots.filter(slot => slot >= first! && slot <= Math.min(second!, tip)) }
  }
  if (method !== "getBlock") return refused(-32601, "Method not found")
  const block = chain.at(first!)
  if (first! < chain.blocks[0]!.slot) return refused(-32001, `Block ${first} cleaned up`)
  if (first! > tip || (block === undefined && first! > chain.finalized))
    return refused(-32004, `Block not available for slot ${first}`)
  if (block === undefined) return refused(-32007, `Slot ${first} was skipped`)
  return { result: blockResult(block, config.transactionDetails ?? "full") }
}

/** Makes of a call what is answered instead; null where the node is honest. */
export type Fault = (call: FakeCall, honest: object) => LocalAnswer | object | null

const isLocalAnswer = (answer: LocalAnswer | object): answer is LocalAnswer =>
  typeof answer === "string" || "body" in answer || "status" in answer

/** Starts a node of the chain. */
export const fakeNode = (
  chain: FakeSolana,
  fault: Fault = () => null,
  before: (call: FakeCall) => Promise<void> | void = () => undefined
): Promise<LocalServer> =>
  localServer(async ({ body }) => {
    const call = JSON.parse(body) as FakeCall
    await before(call)
    const honest = honestAnswer(chain, call)
    const told = fault(call, honest) ?? honest
    return isLocalAnswer(told)
      ? told
      : { body: { jsonrpc: "2.0", id: call.id, ...(told as object) } }
  })
