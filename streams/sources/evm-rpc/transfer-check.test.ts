import { expect, it } from "vitest"
import { decodeAll } from "../../../test/support/decode-one.ts"
import { jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { makeDecoder } from "../../evm/decoder.ts"
import { uniswapV2 } from "../../evm/uniswap-v2/venue.ts"
import { uniswapV3 } from "../../evm/uniswap-v3/venue.ts"
import { checkTransfer } from "./transfer-check.ts"
import type { WireLog } from "./wire.ts"

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
const [POOL, TOKEN, BUYER, TAKER] = ["b0", "a0", "c0", "d0"].map(
  byte => `0x${byte.repeat(20)}`
) as [string, string, string, string]
const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`

const log = (index: number, address: string, topics: ReadonlyArray<string>, data: bigint) =>
  ({
    address,
    topics,
    data: `0x${data.toString(16).padStart(64, "0")}`,
    block: 1,
    blockHash: "0x",
    txHash: "0xaa",
    txIndex: 0,
    index
  }) as WireLog
const transfer = (index: number, from: string, to: string, value: bigint, token = TOKEN) =>
  log(index, token, [TRANSFER, wordOf(from), wordOf(to)], value)
const swap = (index: number) => log(index, POOL, ["0x01"], 0n)

const check = (receipt: ReadonlyArray<WireLog>, at = receipt.length - 1) =>
  checkTransfer(
    { pool: POOL, token: TOKEN, recipient: BUYER, amount: 100n, log: receipt[at] as WireLog },
    receipt
  )

it("adds up what came to the recipient from this payment", () => {
  const fact = { token: TOKEN, pool: POOL, tx: "0xaa", sent: 100n }
  expect(check([transfer(0, POOL, BUYER, 100n), swap(1)])).toEqual({ ...fact, received: 100n })
  expect(check([transfer(0, POOL, TAKER, 7n), transfer(1, POOL, BUYER, 93n), swap(2)])).toEqual({
    ...fact,
    received: 93n
  })
  const twice = [transfer(0, POOL, BUYER, 50n), swap(1), transfer(2, POOL, BUYER, 99n), swap(3)]
  expect(check(twice)).toEqual({ ...fact, received: 99n })
  expect(check([transfer(0, POOL, TAKER, 100n), swap(1)])).toEqual({ ...fact, received: 0n })
})

it("tells nothing where the token does not", () => {
  expect(check([swap(0)])).toBeNull()
  expect(check([transfer(0, BUYER, POOL, 100n), swap(1)])).toBeNull()
  expect(check([transfer(0, POOL, BUYER, 100n, TAKER), swap(1)])).toBeNull()
  expect(check([swap(0), transfer(1, POOL, BUYER, 100n)], 0)).toBeNull()
  const odd = { ...transfer(0, POOL, BUYER, 100n), data: "0x" }
  expect(check([odd, swap(1)])).toBeNull()
})

const files = ["receipts-multichain", "blocks"].map(name => `evm/logs/${name}.jsonl.gz`)

/** The logs of each transaction of the files. */
const receiptsOf = (names: ReadonlyArray<string>) => {
  const byTx = new Map<string, Array<WireLog>>()
  for (const one of names.flatMap(name => [...jsonLines<RealLog>(name)])) {
    const list = byTx.get(one.transactionHash) ?? []
    byTx.set(one.transactionHash, list)
    list.push({
      address: one.address,
      topics: one.topics,
      data: one.data,
      block: 1,
      blockHash: "0x",
      txHash: one.transactionHash,
      txIndex: 0,
      index: one.logIndex
    })
  }
  return byTx
}

/** Of two kinds of pools: more would find more payments than were looked at one by one. */
const decoder = makeDecoder([uniswapV2, uniswapV3])

describeWithSharedData("payments of real pools", files, () => {
  it("arrive whole but of tokens that take a fee", () => {
    const byTx = receiptsOf(files)
    let whole = 0
    const short: { [percent: string]: number } = {}
    for (const receipt of byTx.values()) {
      for (const one of receipt) {
        const decoded = decodeAll(decoder.decode, rawLogOf(one, one.index))
        const event = typeof decoded === "string" ? undefined : decoded[0]
        if (event?.kind !== "SwapExecuted" || event.pool !== one.address) continue
        const recipient = event.recipient ?? ""
        const out = [event.amount0Out, event.amount1Out].filter(amount => amount > 0n)
        const paid = new Set(
          receipt
            .filter(
              ({ topics, index }) =>
                topics[0] === TRANSFER &&
                topics[1] === wordOf(one.address) &&
                topics[2] === wordOf(recipient) &&
                index < one.index
            )
            .map(({ address }) => address)
        )
        const [token] = [...paid]
        const [amount] = out
        if (paid.size !== 1 || out.length !== 1 || token === undefined || amount === undefined) {
          continue
        }
        const fact = checkTransfer(
          { pool: one.address, token, recipient, amount, log: one },
          receipt
        )
        // One that pays in a token of its own choice: the pool's own tokens are not known here.
        if (fact === null || fact.received > fact.sent) continue
        if (fact.received === fact.sent) whole++
        else {
          const percent = (100 - (100 * Number(fact.received)) / Number(fact.sent)).toFixed(3)
          short[percent] = (short[percent] ?? 0) + 1
        }
      }
    }
    expect(whole).toBe(542)
    // shares that tokens' authors choose; 23.077 % are 3 parts of 13, three more transfers
    expect(short).toEqual({
      "1.000": 5,
      "2.000": 4,
      "5.000": 5,
      "6.000": 1,
      "7.000": 1,
      "8.000": 1,
      "9.000": 1,
      "10.000": 2,
      "15.000": 6,
      "16.667": 1,
      "23.077": 1
    })
  })
})
