import { beforeEach, describe, expect, it } from "vitest"
import { FakeChain, rpcLogs, rpcReceiptFields } from "../../../test/support/fake-chain.ts"
import { type FakeLog, syncLog, transferLog } from "../../../test/support/fake-logs.ts"
import { pushedHeader } from "../../../test/support/fake-rpc-methods.ts"
import { random } from "../../../test/support/seed.ts"
import { watchedTopics } from "../../evm/decoder.ts"
import { BlockProver, isMisfit } from "./block-proof.ts"
import { bloomBits, bloomHas, bloomOfLogs, equalBlooms } from "./bloom.ts"
import { orderedTrieRoot } from "./receipts-root.ts"
import { ChainSeals } from "./sealed-endpoint.ts"
import { Watch } from "./watch.ts"
import { type Header, inOrder, type Receipt, readHeader, readLog, readReceipts } from "./wire.ts"

const address = (byte: number) => `0x${byte.toString(16).padStart(2, "0").repeat(20)}` as const
const POOL = address(1)
const sync = (n: number) => syncLog(POOL, BigInt(n), 5n)
const other = transferLog(address(2), POOL, POOL, 1n)

/** A block of one watched and one other log a transaction, and what a node tells of it. */
const blockOf = (txs: number, more: ReadonlyArray<FakeLog> = []) => {
  const chain = new FakeChain()
  const tx = (n: number) => ({ from: address(7), to: null, logs: [sync(n), other, ...more] })
  const block = chain.mine(Array.from({ length: txs }, (_, n) => tx(n)))
  const logs = rpcLogs(block)
  const receipts = readReceipts(
    block.txs.map((one, i) => ({
      transactionHash: one.hash,
      transactionIndex: `0x${i.toString(16)}`,
      blockHash: block.hash,
      from: one.from,
      to: one.to,
      logs: logs.filter(log => Number(log.transactionIndex) === i),
      ...rpcReceiptFields(one, i)
    }))
  ) as ReadonlyArray<Receipt>
  return { header: readHeader(pushedHeader(block)) as Header, receipts }
}

/** The same receipts with some logs taken out. */
const without = (receipts: ReadonlyArray<Receipt>, indexes: ReadonlyArray<number>) =>
  receipts.map(receipt => ({
    ...receipt,
    logs: receipt.logs.filter(log => !indexes.includes(log.index))
  }))

let prover: BlockProver
beforeEach(() => {
  prover = new BlockProver(new Watch(watchedTopics), new ChainSeals())
})

describe("a proof by receipts", () => {
  const { header, receipts } = blockOf(3)

  it("accepts all of the block's logs in any order, told once or twice", () => {
    const twice = receipts.map(one => ({ ...one, logs: [...one.logs, ...one.logs].reverse() }))
    const block = prover.judgeReceipts(header, twice.toReversed())
    expect(block).toMatchObject({ grade: "root", gap: null })
    expect(isMisfit(block) ? [] : block.logs.map(log => log.index)).toEqual([0, 2, 4])
  })

  it("sees any missing log, even the last one of a kind that others show", () => {
    for (let index = 0; index < 6; index++) {
      expect(isMisfit(prover.judgeReceipts(header, without(receipts, [index])))).toBe(true)
    }
    const blind = { ...header, receiptsRoot: null }
    expect(prover.judgeReceipts(blind, without(receipts, [0]))).toMatchObject({
      misfit: "log 0 is missing"
    })
    // What bloom and indexes cannot show: the reason for checking the root.
    expect(prover.judgeReceipts(blind, without(receipts, [5]))).toMatchObject({ grade: "receipts" })
  })

  it("covers receipts of any size", () => {
    const large = { ...other, data: `0x${"ab".repeat(10_000_000)}` } as const
    const one = blockOf(1, [large, ...Array.from({ length: 2000 }, () => other)])
    expect(prover.judgeReceipts(one.header, one.receipts)).toMatchObject({ grade: "root" })
    const missing = without(one.receipts, [2])
    expect(isMisfit(prover.judgeReceipts(one.header, missing))).toBe(true)
  })

  it("sees missing and foreign receipts, and changed logs", () => {
    const judge = (told: ReadonlyArray<Receipt>) => prover.judgeReceipts(header, told)
    expect(judge(receipts.slice(1))).toMatchObject({ misfit: "receipts are missing" })
    expect(judge(receipts.slice(0, 2))).toMatchObject({
      misfit: expect.stringMatching(/bloom|root/)
    })
    const [first, ...rest] = receipts as [Receipt, ...Receipt[]]
    expect(judge([{ ...first, blockHash: `0x${"ab".repeat(32)}` }, ...rest])).toMatchObject({
      misfit: "receipts of another block"
    })
    const changed = first.logs.map(log => ({ ...log, data: "0x01" }))
    expect(isMisfit(judge([{ ...first, logs: changed }, ...rest]))).toBe(true)
    expect(judge([{ ...first, logs: [...first.logs, ...changed] }, ...rest])).toMatchObject({
      misfit: "receipts with logs that contradict each other"
    })
  })

  it("put their logs in the places that they have in the block, whatever is told of these", () => {
    const moved = receipts.map(receipt => ({
      ...receipt,
      logs: receipt.logs.map(log => ({ ...log, index: 3 * log.index + 1000 }))
    }))
    const truth = prover.judgeReceipts(header, receipts)
    expect(truth).toMatchObject({ grade: "root" })
    expect(prover.judgeReceipts(header, moved)).toEqual(truth)
    // without a root nothing tells them
    const other = new BlockProver(new Watch(watchedTopics), new ChainSeals())
    other.ignoreRoots()
    const odd = { ...header, receiptsRoot: `0x${"cd".repeat(32)}` }
    expect(other.judgeReceipts(odd, moved)).toMatchObject({ misfit: "log 0 is missing" })
  })

  it("does without roots on chains that make them in another way", () => {
    const odd = { ...header, receiptsRoot: `0x${"cd".repeat(32)}` }
    expect(prover.judgeReceipts(odd, receipts)).toMatchObject({ rootOnly: true })
    prover.ignoreRoots()
    expect(prover.judgeReceipts(odd, receipts)).toMatchObject({ grade: "receipts" })
    const strict = new BlockProver(new Watch(watchedTopics), new ChainSeals())
    strict.judgeReceipts(header, receipts)
    strict.ignoreRoots()
    expect(strict.judgeReceipts(odd, receipts)).toMatchObject({ rootOnly: false })
  })

  it("asks for roots that another reader of the chain, or the log, has seen to fit", () => {
    const odd = { ...header, receiptsRoot: `0x${"cd".repeat(32)}` }
    const ofBoth = new ChainSeals()
    const [one, beside] = [0, 1].map(() => new BlockProver(new Watch(watchedTopics), ofBoth))
    beside?.ignoreRoots()
    expect(beside?.judgeReceipts(odd, receipts)).toMatchObject({ grade: "receipts" })
    one?.judgeReceipts(header, receipts)
    const refused = { misfit: "the receipts do not give the root", rootOnly: false }
    expect(beside?.judgeReceipts(odd, receipts)).toMatchObject(refused)
    const known = new BlockProver(
      new Watch(watchedTopics),
      new ChainSeals({ headers: true, receipts: true })
    )
    known.ignoreRoots()
    expect(known.judgeReceipts(odd, receipts)).toMatchObject(refused)
  })

  it("learns nothing of a chain's roots from a block without receipts", () => {
    const seals = new ChainSeals()
    const empty = blockOf(0)
    const bare = { ...empty.header, txHashes: null }
    const judged = new BlockProver(new Watch(watchedTopics), seals).judgeReceipts(bare, [])
    expect(judged).toMatchObject({ grade: "bloom", logs: [] })
    expect(seals.receiptsFit).toBe(false)
  })

  it("asks for roots again once one fits, whatever was told first", () => {
    const odd = { ...header, receiptsRoot: `0x${"cd".repeat(32)}` }
    prover.ignoreRoots()
    expect(prover.judgeReceipts(odd, receipts)).toMatchObject({ grade: "receipts" })
    expect(prover.judgeReceipts(header, receipts)).toMatchObject({ grade: "root" })
    expect(prover.judgeReceipts(odd, receipts)).toMatchObject({
      misfit: "the receipts do not give the root"
    })
  })

  it("needs all fields that a root is made of where roots of the chain fit", () => {
    const bare = receipts.map(receipt => ({
      ...receipt,
      consensus: null,
      logs: receipt.logs.map(log => ({ ...log, data: log.data.replace("5", "6") }))
    }))
    const lacking = "the receipts lack fields that their root is made of"
    expect(prover.judgeReceipts(header, bare)).toMatchObject({ misfit: lacking, rootOnly: true })
    prover.ignoreRoots()
    expect(prover.judgeReceipts(header, bare)).toMatchObject({ grade: "receipts" })
    expect(prover.judgeReceipts(header, receipts)).toMatchObject({ grade: "root" })
    expect(prover.judgeReceipts(header, bare)).toMatchObject({ misfit: lacking, rootOnly: false })
  })

  it("covers tries of several levels", () => {
    const many = blockOf(300)
    expect(prover.judgeReceipts(many.header, many.receipts)).toMatchObject({ grade: "root" })
    expect(isMisfit(prover.judgeReceipts(many.header, without(many.receipts, [599])))).toBe(true)
  })
})

describe("a header", () => {
  const empty = new Uint8Array(256)

  it("proves a block empty by a bloom without watched topics, once blooms are known", () => {
    const { header } = blockOf(1)
    const quiet = { ...header, txHashes: null, bloom: bloomOfLogs([readLog(logJson(other))!]) }
    const none = { ...quiet, bloom: empty, receiptsRoot: orderedTrieRoot([]) }
    expect(prover.provesEmpty(none)).toBe(false)
    expect(prover.provesEmpty(header)).toBe(false)
    expect(prover.provesEmpty(quiet)).toBe(true)
    expect(prover.provesEmpty(none)).toBe(true)
    const bare = { ...header, receiptsRoot: null }
    expect(prover.provesEmpty({ ...bare, txHashes: [] })).toBe(true)
  })

  it("without bloom or transactions proves nothing of a block that has receipts", () => {
    const header = { ...blockOf(1).header, sealed: null }
    const blank = { ...header, bloom: empty }
    const bare = { ...header, txHashes: [] }
    expect([header, blank, bare].map(one => prover.provesEmpty(one))).toEqual([false, false, false])
    // its own fields, as its hash shows
    expect(prover.provesEmpty({ ...blank, sealed: true })).toBe(true)
    expect(prover.provesEmpty({ ...bare, sealed: true })).toBe(false)
    expect(prover.provesEmpty({ ...blank, receiptsRoot: orderedTrieRoot([]) })).toBe(true)
    expect(prover.provesEmpty({ ...bare, receiptsRoot: orderedTrieRoot([]) })).toBe(true)
    prover.ignoreRoots()
    expect(prover.provesEmpty(bare)).toBe(true)
    expect(prover.provesEmpty({ ...bare, sealed: true })).toBe(false)
  })

  it("left blank now and then does not make blooms doubted for good", () => {
    const { header, receipts } = blockOf(1)
    expect(prover.provesEmpty(header)).toBe(false)
    expect(prover.judgeReceipts({ ...header, bloom: empty }, receipts)).toMatchObject({
      grade: "root"
    })
    const quiet = { ...header, txHashes: null, bloom: bloomOfLogs([readLog(logJson(other))!]) }
    expect(prover.provesEmpty(quiet)).toBe(true)
  })

  it("proves nothing on a chain that leaves blooms empty", () => {
    const { header, receipts } = blockOf(2)
    const blank = { ...header, bloom: empty }
    expect(prover.provesEmpty(blank)).toBe(false)
    expect(prover.judgeReceipts({ ...blank, receiptsRoot: null }, receipts)).toMatchObject({
      grade: "receipts"
    })
    expect(prover.provesEmpty(blank)).toBe(false)
  })

  const logJson = (log: typeof other) => ({
    ...log,
    blockNumber: "0x1",
    blockHash: `0x${"11".repeat(32)}`,
    transactionHash: `0x${"22".repeat(32)}`,
    transactionIndex: "0x0",
    logIndex: "0x0"
  })
})

describe("a bloom", () => {
  it("is the one that the chain computes", () => {
    const { header, receipts } = blockOf(4)
    const logs = receipts.flatMap(receipt => receipt.logs)
    expect(header.bloom !== null && equalBlooms(bloomOfLogs(logs), header.bloom)).toBe(true)
    expect(bloomHas(header.bloom!, bloomBits(POOL))).toBe(true)
    expect(bloomHas(bloomOfLogs([]), bloomBits(POOL))).toBe(false)
  })

  it("has the bits of a known example", () => {
    const bits = bloomBits("0x0000000000000000000000000000000000000000")
    // keccak256 of 20 zero bytes: 5380c7b7ae81a58eb98d9c78de4a1fd7fd9535fc953ed2be602daaa41767312a
    expect(bits).toEqual([
      255 - (0x380 >> 3),
      1 << (0x380 & 7),
      255 - (0x7b7 >> 3),
      1 << (0x7b7 & 7),
      255 - (0x681 >> 3),
      1 << (0x681 & 7)
    ])
  })
})

describe("a trie root", () => {
  it("of nothing is the empty trie's", () => {
    expect(orderedTrieRoot([])).toBe(
      "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421"
    )
  })

  it("changes with any value", () => {
    const r = random("trie")
    const values = Array.from({ length: 140 }, () =>
      Uint8Array.from({ length: r.integer(1, 80) }, () => r.integer(0, 255))
    )
    const root = orderedTrieRoot(values)
    for (const place of [0, 1, 15, 16, 127, 128, 139]) {
      const changed = values.map((value, i) => (i === place ? Uint8Array.of(...value, 1) : value))
      expect(orderedTrieRoot(changed)).not.toBe(root)
    }
    expect(orderedTrieRoot(values.slice(0, -1))).not.toBe(root)
  })
})

describe("logs of an answer", () => {
  const { receipts } = blockOf(3)
  const logs = receipts.flatMap(receipt => receipt.logs)

  it("are put in order, each once", () => {
    expect(inOrder([...logs].reverse().concat(logs))).toEqual(logs)
  })

  it("are refused when two claim one place", () => {
    const [first] = logs as [(typeof logs)[number]]
    expect(inOrder([...logs, { ...first, data: "0x" }])).toBeNull()
    expect(inOrder([first, { ...first, index: 1, blockHash: "0x1" }])).toBeNull()
    expect(
      inOrder([
        { ...first, txIndex: 1 },
        { ...first, index: 1, txIndex: 0 }
      ])
    ).toBeNull()
  })
})
