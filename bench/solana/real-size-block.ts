/** Blocks of a real size, of the votes, transfers and swaps of real ones. */
import { toBase58 } from "../../src/domain/base58.ts"
import { otherTexts, swapTexts } from "./transaction-texts.ts"

/** The slot of the first block that is told. */
export const FIRST_SLOT = 450_000_000

/** Swaps as a block tells them: without slot and time of their own. */
const blockSwaps = (): ReadonlyArray<string> =>
  swapTexts().map(text => {
    const {
      slot: _,
      blockTime: __,
      ...told
    } = JSON.parse(text) as { readonly [k: string]: unknown }
    return JSON.stringify(told)
  })

/** The text of a transaction with a signature of its own: no block has one twice. */
const signed = (text: string, number: number): string => {
  const bytes = new Uint8Array(64).fill(7)
  new DataView(bytes.buffer).setUint32(0, number)
  const told = JSON.parse(text) as { readonly transaction: object }
  const transaction = { ...told.transaction, signatures: [toBase58(bytes)] }
  return JSON.stringify({ ...told, transaction })
}

/** The text of all transactions of a block of at least so many bytes, spread among each other. */
const transactionsOf = (leastBytes: number): ReadonlyArray<string> => {
  const texts = otherTexts()
  const swaps = blockSwaps()
  let bytes = texts.reduce((sum, text) => sum + text.length, 0)
  const added: Array<string> = []
  for (; bytes < leastBytes; bytes += added[added.length - 1]!.length)
    added.push(swaps[added.length % swaps.length]!)
  const every = Math.max(1, Math.floor(texts.length / Math.max(1, added.length)))
  const all = texts.flatMap((text, at) => {
    const next = at % every === 0 ? added.pop() : undefined
    return next === undefined ? [text] : [text, next]
  })
  return all.map(signed)
}

const hashOf = (slot: number): string => {
  const bytes = new Uint8Array(32).fill(9)
  new DataView(bytes.buffer).setUint32(0, slot)
  return toBase58(bytes)
}

const headOf = (slot: number): string =>
  `{"jsonrpc":"2.0","result":{"blockHeight":${slot - 10},"blockTime":1790000000,` +
  `"blockhash":"${hashOf(slot)}","parentSlot":${slot - 1},"previousBlockhash":"${hashOf(slot - 1)}"`

let made: { readonly leastBytes: number; readonly body: Buffer; readonly count: number } | null =
  null

/** What `getBlock` answers of a slot, in two parts, and how many transactions it holds. */
export const blockParts = (leastBytes: number, slot: number) => {
  if (made?.leastBytes !== leastBytes) {
    const texts = transactionsOf(leastBytes)
    const body = Buffer.from(`,"transactions":[${texts.join(",")}]},"id":1}`)
    made = { leastBytes, body, count: texts.length }
  }
  return { head: Buffer.from(headOf(slot)), body: made.body, transactions: made.count }
}

/** The whole answer of a slot. */
export const realSizeBlock = (leastBytes: number, slot: number) => {
  const { head, body, transactions } = blockParts(leastBytes, slot)
  return { bytes: Buffer.concat([head, body]), transactions }
}

/** What `getBlock` answers of a slot where no transactions are asked for. */
export const blockAlone = (slot: number): Buffer => Buffer.from(`${headOf(slot)}},"id":1}`)
