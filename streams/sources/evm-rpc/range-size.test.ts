import { afterEach, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { deployMarket, randomTxs } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import type { Faults } from "../../../test/support/fake-rpc-methods.ts"
import { loggedOf, type RpcRun, startRun, truthLogs } from "../../../test/support/rpc-source.ts"
import { random } from "../../../test/support/seed.ts"
import { RangeSize } from "./range-size.ts"

const [WIDE, NARROW] = ["wide.example", "narrow.example"] as const

let nodes: ReadonlyArray<FakeRpc> = []
let run: RpcRun | null = null
afterEach(async () => {
  await run?.stop()
  for (const node of nodes) await node.close()
})

it("grows with small answers and shrinks with large ones", () => {
  const size = new RangeSize(100, 1000)
  size.answered(WIDE, 100, 0)
  expect(size.blocks).toBe(200)
  size.answered(WIDE, 200, 8000)
  expect(size.blocks).toBe(100)
  for (let i = 0; i < 9; i++) size.answered(WIDE, size.blocks, 1)
  expect(size.blocks).toBe(1000)
})

it("keeps a limit that an endpoint named, and learns one that it did not", () => {
  const named = new RangeSize(1000, 50_000)
  named.tooWide(WIDE, 1000, 300)
  expect(named.blocksOf([WIDE])).toBe(300)
  named.answered(WIDE, 300, 0)
  expect(named.blocksOf([WIDE])).toBe(300)
  const unnamed = new RangeSize(1000, 50_000)
  unnamed.tooWide(WIDE, 1000, undefined)
  expect(unnamed.blocksOf([WIDE])).toBe(500)
  for (let i = 0; i < 49; i++) unnamed.answered(WIDE, 500, 0)
  expect(unnamed.blocksOf([WIDE])).toBe(500)
  unnamed.answered(WIDE, 500, 0)
  expect(unnamed.blocksOf([WIDE])).toBe(563)
  const nonsense = new RangeSize(10, 100)
  nonsense.tooWide(WIDE, 10, 5000)
  expect(nonsense.blocksOf([WIDE])).toBe(5)
})

it("is never less than one block", () => {
  const size = new RangeSize(1, 10)
  size.tooMuch(1)
  size.tooWide(WIDE, 1, undefined)
  expect(size.blocksOf([WIDE])).toBe(1)
  expect(size.blocksOf([])).toBe(1)
})

it("is no endpoint's limit but that of the one that has it", () => {
  const size = new RangeSize(500, 50_000)
  size.tooWide(NARROW, 500, 10)
  expect(size.blocksOf([NARROW, WIDE])).toBe(500)
  expect(size.blocksOf([NARROW])).toBe(10)
  expect([size.takes(NARROW, 10), size.takes(NARROW, 11), size.takes(WIDE, 50_000)]).toEqual([
    ...[true, false, true]
  ])
  size.answered(NARROW, 10, 0)
  expect(size.blocks).toBe(500)
  size.answered(WIDE, 500, 0)
  expect(size.blocksOf([NARROW, WIDE])).toBe(1000)
  // more logs than an answer should have, whoever gives them
  size.answered(NARROW, 10, 8000)
  expect(size.blocks).toBe(5)
})

const read = async (chain: FakeChain, faults: ReadonlyArray<Partial<Faults>>) => {
  nodes = await Promise.all(faults.map((one, i) => startFakeRpc(chain, `${i}`, one)))
  run = await startRun({ endpoints: nodes.map(node => node.url) })
  expect(await run.reach(chain)).toBe(true)
  expect(loggedOf(run.events)).toEqual(truthLogs(chain))
  const seals = run.events.flatMap(event => (event.kind === "BlockSealed" ? [event] : []))
  const isProof = (grade: string) => grade === "root" || grade === "bloom"
  const old = seals.filter(({ block, grade }) => block.number <= 400 && !isProof(grade))
  const grades = old.map(({ grade }) => grade)
  return { grades: [...new Set(grades)], asked: nodes.map(({ calls }) => calls.get("eth_getLogs")) }
}

const longChain = () => {
  const chain = new FakeChain()
  deployMarket(chain)
  const r = random("limits of one")
  for (let i = 0; i < 420; i++) chain.mine(i % 10 === 0 ? randomTxs(r, 3) : [])
  return chain
}

it("an endpoint that takes ten blocks is not asked while another takes them all", async () => {
  const { grades, asked } = await read(longChain(), [{ rangeLimit: 10 }, {}])
  // asked for 401 blocks once; the other has them in two halves
  expect(asked).toEqual([1, 2])
  expect(grades).toEqual(["range"])
})

it("an endpoint that takes some blocks fewer is compared with in pieces", async () => {
  const { grades, asked } = await read(longChain(), [{}, { rangeLimit: 100 }])
  // refused once, then asked for 401 blocks by hundreds
  expect(asked).toEqual([1, 6])
  expect(grades).toEqual(["second"])
})
