/** Wraps of native tokens as transfers: alone, and told twice. */
import { expect, it } from "vitest"
import { type Address, fromHex } from "../../../src/domain/address.ts"
import { arbitrum } from "../../../src/domain/chains/arbitrum.ts"
import { base } from "../../../src/domain/chains/base.ts"
import { type HexLog, jsonLines, type RealLog, rawLogOf } from "../../../test/support/raw-logs.ts"
import { describeWithSharedData } from "../../../test/support/shared-data.ts"
import { eventsOf } from "../../event-objects.ts"
import { FactBook } from "../../facts.ts"
import { transferTokenOf } from "../../pinned-transfers.ts"
import { transferDecoder } from "../chain-decoder.ts"
import { LogTapeWriter } from "../log-tape-writer.ts"
import { PinnedTokens } from "../pinned-tokens.ts"
import { nativeUnwrap, nativeWrap, tokenTransfer } from "./decode.ts"

const NOBODY = `0x${"0".repeat(40)}`
const [ALICE, BOB] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`]
const OTHER = `0x${"c3".repeat(20)}`

const wordOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`
const amountOf = (amount: number) => `0x${amount.toString(16).padStart(64, "0")}`

/** Transactions of logs, each with its place in the block, as events of one block. */
const written = (
  native: string,
  txs: ReadonlyArray<ReadonlyArray<readonly [logIndex: number, log: HexLog]>>,
  pins: ReadonlyArray<string> = [native]
) => {
  const token = { address: native as Address, symbol: "W", decimals: 18, kind: "native" } as const
  const chain = { ...base, anchors: [token] }
  const writer = new LogTapeWriter({
    ...{ decoder: transferDecoder(chain, new PinnedTokens(pins)), facts: new FactBook() },
    ...{ last: null, knownPools: [], knownTokens: [] }
  })
  writer.beginBlock(1, 1, null, null)
  for (const [i, logs] of txs.entries()) {
    writer.beginTx(fromHex(amountOf(i + 1)), i, null, null)
    for (const [logIndex, log] of logs) writer.log(rawLogOf(log, logIndex))
  }
  writer.endBlock("root", true)
  writer.flush()
  const batch = writer.take()
  return batch === null ? [] : eventsOf(batch).filter(({ tx }) => tx !== null)
}

const moves = (...parameters: Parameters<typeof written>) =>
  written(...parameters).map(event =>
    event.kind === "TransferSeen" ? [event.from, event.to, event.amount, event.wrap] : event.kind
  )

/** A contract that may tell twice. */
const NATIVE = `0x${"d4".repeat(20)}`
const wrap = (to: string, amount: number, address = NATIVE): HexLog => ({
  ...{ address, topics: [nativeWrap.topic0, wordOf(to)], data: amountOf(amount) }
})
const unwrap = (from: string, amount: number, address = NATIVE): HexLog => ({
  ...{ address, topics: [nativeUnwrap.topic0, wordOf(from)], data: amountOf(amount) }
})
const transfer = (from: string, to: string, amount: number, address = NATIVE): HexLog => ({
  address,
  topics: [tokenTransfer.topic0, wordOf(from), wordOf(to)],
  data: amountOf(amount)
})

it("takes wraps of the chain's wrapped native token, where it is pinned, for transfers", () => {
  const logs = [
    [0, wrap(ALICE, 5)],
    [1, wrap(ALICE, 5)],
    [2, unwrap(BOB, 7)],
    [3, wrap(ALICE, 9, OTHER)],
    [4, transfer(ALICE, BOB, 2, OTHER)]
  ] as const
  expect(moves(NATIVE, [logs], [NATIVE, OTHER])).toEqual([
    [NOBODY, ALICE, 5n, 1],
    [NOBODY, ALICE, 5n, 1],
    [BOB, NOBODY, 7n, 1],
    [ALICE, BOB, 2n, null]
  ])
  expect(moves(NATIVE, [logs], [OTHER])).toEqual([[ALICE, BOB, 2n, null]])
})

it("counts once what stands beside each other in a transaction, whichever comes first", () => {
  const txs = [
    [
      [0, wrap(ALICE, 5)],
      [1, transfer(NOBODY, ALICE, 5)]
    ],
    [
      [2, transfer(BOB, NOBODY, 7)],
      [3, unwrap(BOB, 7)]
    ]
  ] as const
  expect(moves(NATIVE, txs)).toEqual([
    [NOBODY, ALICE, 5n, 1],
    [BOB, NOBODY, 7n, null]
  ])
})

it.each([
  ["of another amount", [transfer(NOBODY, ALICE, 4), wrap(ALICE, 5)], 0],
  ["of another account", [transfer(NOBODY, BOB, 5), wrap(ALICE, 5)], 0],
  ["the other way", [transfer(ALICE, NOBODY, 5), wrap(ALICE, 5)], 0],
  ["not beside it", [transfer(NOBODY, ALICE, 5), wrap(ALICE, 5)], 1]
] as const)("counts a transfer and a wrap both: %s", (_, [first, second], between) => {
  const told = moves(NATIVE, [[[0, first]], []])
  const both = [
    [0, first],
    [1 + between, second]
  ] as const
  expect(moves(NATIVE, [both])).toEqual([...told, [NOBODY, ALICE, 5n, 1]])
})

it("counts both in two transactions, and where the contract is known to tell once", () => {
  const apart = moves(NATIVE, [[[0, transfer(NOBODY, ALICE, 5)]], [[1, wrap(ALICE, 5)]]])
  expect(apart).toHaveLength(2)
  const weth = base.nativeToken as string
  const sent = [
    [0, transfer(BOB, NOBODY, 7, weth)],
    [1, unwrap(BOB, 7, weth)]
  ] as const
  expect(moves(weth, [sent])).toEqual([
    [BOB, NOBODY, 7n, null],
    [BOB, NOBODY, 7n, 1]
  ])
})

it("quarantines a wrap without its amount as one of the token's", () => {
  const [event] = written(NATIVE, [[[0, { ...wrap(ALICE, 5), data: "0x" }]]])
  expect(event?.kind).toBe("LogQuarantined")
  expect(event === undefined ? null : transferTokenOf(event)).toBe(NATIVE)
})

const FILES = ["evm/logs/blocks.jsonl.gz", "evm/logs/receipts-multichain.jsonl.gz"]

describeWithSharedData("wraps of real chains", FILES, () => {
  const logs = FILES.flatMap(file => jsonLines<RealLog>(file))
  /** Events of one contract's logs, transaction by transaction. */
  const told = (chainId: number, native: string) => {
    const txs = new Map<string, Array<readonly [number, HexLog]>>()
    const ours = logs.filter(log => log.chainId === chainId && log.address === native)
    for (const log of ours.sort((a, b) => a.logIndex - b.logIndex)) {
      const key = `${log.blockNumber} ${log.transactionHash}`
      const tx = txs.get(key) ?? []
      txs.set(key, [...tx, [log.logIndex, log]])
    }
    // of many blocks: each transaction is one of its own here
    const events = [...txs.values()].flatMap(tx => written(native, [tx]))
    const wraps = events.filter(event => event.kind === "TransferSeen" && event.wrap === 1)
    return { logs: ours.length, events: events.length, wraps: wraps.length }
  }

  it.each([
    ["Ethereum", 1, "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", 292, 0],
    ["Base", 8453, "0x4200000000000000000000000000000000000006", 23, 0],
    ["BNB Chain", 56, "0xbb4cdb9cbd36b01bd1cbaebf2de08d9173bc095c", 9, 0],
    ["Scroll, which tells twice", 534352, "0x5300000000000000000000000000000000000004", 0, 1],
    ["Arbitrum, which wraps by transfers", 42161, arbitrum.nativeToken as string, 0, 0]
  ])("%s", (_, chainId, native, wraps, twice) => {
    const found = told(chainId, native)
    expect(found.wraps).toBe(wraps)
    const others = logs.filter(
      ({ chainId: id, address, topics }) =>
        id === chainId && address === native && topics[0] === tokenTransfer.topic0
    )
    expect(found.events).toBe(others.length + wraps)
    const doubled = logs.filter(
      ({ chainId: id, address, topics }) =>
        id === chainId && address === native && topics[0] === nativeWrap.topic0
    )
    expect(doubled.length - (wraps > 0 ? doubled.length : 0)).toBe(twice)
  })
})
