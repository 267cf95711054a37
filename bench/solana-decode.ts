/**
 * How fast swaps of Solana are decoded and held against their vaults, of the bytes that a node
 * answered: ours beside `@solana/kit`, in turns. kit's side is an application's: its own client,
 * given the answer's text where it would come over HTTP, and its codecs for base58 and for events.
 * `bare_json` gives kit's codecs what `JSON.parse` makes of the text, which is quicker than kit's
 * client and loses the last digits of large balances. Both must find the same swaps.
 */
import { isDeepStrictEqual } from "node:util"
import { createSolanaRpcFromTransport, type RpcTransport, type Signature } from "@solana/kit"
import { parseJsonWithBigInts } from "@solana/rpc-spec-types"
import { decodeTransaction } from "../streams/solana/decode-transaction.ts"
import { ProgramNames } from "../streams/solana/transaction/program-names.ts"
import { readAnsweredBlock } from "../streams/solana/transaction/read-answer.ts"
import { readDocument } from "../streams/solana/transaction/read-document.ts"
import type { MalformedTransaction, Transaction } from "../streams/solana/transaction.ts"
import { checkVaults } from "../streams/solana/vault-check.ts"
import { venuesByProgram as venues } from "../streams/solana/venues.ts"
import { type Bench, type BenchResult, compared } from "./bench.ts"
import { median } from "./measure/quantile.ts"
import { countOf, optionsOf, say } from "./measure/words.ts"
import { type PlainSwap, swapsByKit } from "./solana/kit-decoding.ts"
import type { KitTransaction } from "./solana/kit-transaction.ts"
import { FIRST_SLOT, realSizeBlock } from "./solana/real-size-block.ts"
import { swapTexts } from "./solana/transaction-texts.ts"

const OPTIONS = `  --repeats N         times that ours decodes each transaction in a round (200)
  --bytes N           least size of the text of the block (5000000)
  --rounds N          rounds, of which the median counts (9)`

const names = new ProgramNames(venues.keys())

/** Decodes and checks a transaction; `keep` is given what is found, in kit's words. */
const decodeOurs = (
  transaction: Transaction | MalformedTransaction,
  keep: (swap: PlainSwap) => void
): void => {
  if (transaction._tag !== "Transaction") throw new Error(transaction.reason)
  const { swaps } = decodeTransaction(transaction, venues)
  const checks = checkVaults(transaction, swaps)
  for (const [at, swap] of swaps.entries()) {
    keep({
      signature: transaction.signature,
      program: swap.venue.program,
      pool: swap.pool,
      user: swap.user,
      mintIn: swap.in.mint,
      mintOut: swap.out.mint,
      amountIn: swap.in.amount,
      amountOut: swap.out.amount,
      verdict: checks[at]!.verdict
    })
  }
}

/** A way from the bytes of an answer to swaps. */
type Way = (bytes: Buffer) => ReadonlyArray<PlainSwap> | Promise<ReadonlyArray<PlainSwap>>

const ownTransaction: Way = bytes => {
  const found: Array<PlainSwap> = []
  for (const one of readDocument(JSON.parse(bytes.toString()), names.programs)) {
    decodeOurs(one, swap => found.push(swap))
  }
  return found
}

const ownBlock: Way = bytes => {
  const found: Array<PlainSwap> = []
  const block = readAnsweredBlock(bytes, 0, bytes.length, names, FIRST_SLOT)
  if (block._tag !== "AnsweredBlock") throw new Error("no block")
  for (const one of block.transactions) decodeOurs(one, swap => found.push(swap))
  return found
}

/** kit's client over answers that are there already. */
class KitClient {
  private bytes: Buffer = Buffer.alloc(0)
  private readonly transport = (async () =>
    parseJsonWithBigInts(this.bytes.toString())) as RpcTransport
  private readonly rpc = createSolanaRpcFromTransport(this.transport)

  readonly transaction: Way = async bytes => {
    this.bytes = bytes
    const options = { encoding: "json", maxSupportedTransactionVersion: 0 } as const
    const answer = await this.rpc.getTransaction("" as Signature, options).send()
    return swapsByKit(answer as unknown as KitTransaction)
  }

  readonly block: Way = async bytes => {
    this.bytes = bytes
    const options = { encoding: "json", maxSupportedTransactionVersion: 0, rewards: false } as const
    const answer = await this.rpc.getBlock(BigInt(FIRST_SLOT), options).send()
    const { transactions } = answer as unknown as {
      readonly transactions: ReadonlyArray<KitTransaction>
    }
    return transactions.flatMap(swapsByKit)
  }
}

const bareTransaction: Way = bytes =>
  swapsByKit((JSON.parse(bytes.toString()) as { readonly result: KitTransaction }).result)

const bareBlock: Way = bytes => {
  const { result } = JSON.parse(bytes.toString()) as {
    readonly result: { readonly transactions: ReadonlyArray<KitTransaction> }
  }
  return result.transactions.flatMap(swapsByKit)
}

/** Throws where two ways find other swaps; returns how many there are. */
const sameSwaps = async (answers: ReadonlyArray<Buffer>, ways: ReadonlyArray<Way>) => {
  let count = 0
  for (const bytes of answers) {
    const [ours, ...others] = await Promise.all(ways.map(async way => way(bytes)))
    for (const theirs of others) {
      if (!isDeepStrictEqual(ours, theirs)) {
        const show = (swaps: unknown) =>
          JSON.stringify(swaps, (_, v) => (typeof v === "bigint" ? `${v}` : v), 1)
        throw new Error(`other swaps by kit: ${show(theirs)}\nours: ${show(ours)}`)
      }
    }
    count += ours?.length ?? 0
    const bad = ours?.find(({ verdict }) => verdict !== "ok")
    if (bad !== undefined) throw new Error(`${bad.signature}: a swap is ${bad.verdict}`)
  }
  return count
}

/** Processor seconds that this process has taken, all threads. */
const processorSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Processor seconds of one answer by each way, taken in turns. */
const inTurns = async (
  rounds: number,
  answers: ReadonlyArray<Buffer>,
  ways: ReadonlyArray<readonly [way: Way, repeats: number]>
): Promise<ReadonlyArray<number>> => {
  const seconds = ways.map((): Array<number> => [])
  // the first two turns warm up
  for (let round = -2; round < rounds; round++) {
    for (const [i, [way, repeats]] of ways.entries()) {
      const before = processorSeconds()
      for (let repeat = 0; repeat < repeats; repeat++) for (const one of answers) await way(one)
      const spent = (processorSeconds() - before) / repeats / answers.length
      if (round >= 0) seconds[i]?.push(spent)
    }
  }
  return seconds.map(median)
}

const run = async (args: ReadonlyArray<string>): Promise<BenchResult> => {
  const options = optionsOf(args, {
    repeats: { type: "string" },
    bytes: { type: "string" },
    rounds: { type: "string" }
  })
  const repeats = countOf("repeats", options.repeats, 200)
  const rounds = countOf("rounds", options.rounds, 9)
  const kit = new KitClient()
  const answers = swapTexts().map(text => Buffer.from(`{"jsonrpc":"2.0","result":${text},"id":1}`))
  const swaps = await sameSwaps(answers, [ownTransaction, kit.transaction, bareTransaction])
  const { bytes } = realSizeBlock(countOf("bytes", options.bytes, 5_000_000), FIRST_SLOT)
  const inBlock = await sameSwaps([bytes], [ownBlock, kit.block, bareBlock])
  say(
    `solana-decode: ${answers.length} transactions with ${swaps} swaps, and a block of ` +
      `${(bytes.length / 1e6).toFixed(2)} MB with ${inBlock}: the same swaps by both, all ` +
      "of them as their vaults say"
  )
  // rounds of about as long, so that what one leaves behind costs the next little
  const few = Math.max(1, Math.round(repeats / 20))
  const [one, byKit, bare] = (await inTurns(rounds, answers, [
    [ownTransaction, repeats],
    [kit.transaction, few],
    [bareTransaction, few]
  ])) as [number, number, number]
  const [block, blockByKit, bareBlocks] = (await inTurns(
    rounds,
    [bytes],
    [
      [ownBlock, few],
      [kit.block, 1],
      [bareBlock, Math.max(1, Math.round(few / 3))]
    ]
  )) as [number, number, number]
  const n = answers.length
  return {
    bench: "solana-decode",
    ...compared("decode", "transactions/s", 1 / one, 1 / byKit, n),
    also: [
      compared("bare_json", "transactions/s", 1 / one, 1 / bare, n),
      compared("block", "blocks/s", 1 / block, 1 / blockByKit, 1),
      compared("bare_json_block", "blocks/s", 1 / block, 1 / bareBlocks, 1)
    ]
  }
}

export const solanaDecode: Bench = {
  name: "solana-decode",
  about: "Solana's answers to checked swaps, beside @solana/kit and its codecs",
  options: OPTIONS,
  run
}
