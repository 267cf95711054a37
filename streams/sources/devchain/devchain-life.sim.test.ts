import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { isRunning } from "../../../src/platform/process-table.ts"
import { mineBlocks, openDevchain, type TestDevchain } from "../../../test/support/devchain.ts"
import { atRest } from "../../../test/support/engine.ts"
import { programsOn } from "../../../test/support/processes.ts"
import type { Devchain } from "./devchain.ts"
import { openDevchain as openControl } from "./devchain-control.ts"
import { openDevchainStore } from "./devchain-store.ts"
import { makeMarket } from "./market.ts"
import { base } from "./networks/base.ts"
import { visitorOf } from "./wallets.ts"

const opened: Array<TestDevchain> = []
const folders: Array<string> = []

const open = async (options: Parameters<typeof openDevchain>[0]): Promise<TestDevchain> => {
  const chain = await openDevchain(options)
  opened.push(chain)
  return chain
}

/** The same with so many blocks. Most of it is waiting for Anvil, so some grow side by side. */
const grown = async (options: Parameters<typeof open>[0], blocks: number) => {
  const chain = await open(options)
  await mineBlocks(chain.devchain, blocks)
  return chain
}

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "swaptape-devchain-"))
  folders.push(folder)
  return folder
}

afterEach(async () => {
  for (const chain of opened.splice(0)) await chain.remove()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const hex = (n: number): Hex => `0x${n.toString(16)}`

const hashes = async (devchain: Devchain): Promise<ReadonlyArray<Hex>> => {
  const numbers = Array.from({ length: devchain.head().number + 1 }, (_, i) => hex(i))
  const blocks = await Effect.runPromise(
    devchain.rpc.batch(numbers.map(n => ["eth_getBlockByNumber", n, false] as const))
  )
  return blocks.map(block => block.hash)
}

const logs = (devchain: Devchain) =>
  Effect.runPromise(devchain.rpc.call("eth_getLogs", { fromBlock: "0x0", toBlock: "latest" }))

const swapsOf = async (devchain: Devchain, from: number) =>
  (await logs(devchain)).filter(log => Number(log.blockNumber) >= from).map(log => log.data)

describe("a seed", () => {
  test("decides every block, to the hash; another seed gives other trades", async () => {
    const options = { chain: "base", history: 3 } as const
    const [one, two, other] = await Promise.all([
      grown(options, 15),
      grown(options, 15),
      grown({ ...options, seed: "another" }, 15)
    ])
    expect(one.devchain.head().number).toBe(5 + 3 + 15)
    expect(await hashes(two.devchain)).toEqual(await hashes(one.devchain))
    expect(await swapsOf(other.devchain, 6)).not.toEqual(await swapsOf(one.devchain, 6))
    expect(other.devchain.identity).not.toBe(one.devchain.identity)
  })

  test("history ends at the start time, ten seconds a block; steps follow each second", async () => {
    const { devchain } = await open({ chain: "arc", history: 4, startTimeSeconds: 1_750_000_000 })
    expect(devchain.head().time).toBe(1_750_000_000)
    const parent = await Effect.runPromise(
      devchain.rpc.call("eth_getBlockByNumber", hex(devchain.head().number - 1), false)
    )
    expect(Number(parent.timestamp)).toBe(1_750_000_000 - 10)
    expect((await mineBlocks(devchain, 2)).map(b => b.time)).toEqual([1_750_000_001, 1_750_000_002])
  })
})

describe("a fork", () => {
  test("replaces the newest blocks by one more, with other trades on the same parent", async () => {
    const { devchain } = await open({ chain: "base" })
    await mineBlocks(devchain, 12)
    const before = await hashes(devchain)
    const made = await Effect.runPromise(devchain.fork(5))
    const after = await hashes(devchain)
    expect(made).toHaveLength(6)
    expect(after).toHaveLength(before.length + 1)
    expect(after.slice(0, -6)).toEqual(before.slice(0, -5))
    expect(after.slice(-6)).toEqual(made.map(block => block.hash))
    for (const hash of before.slice(-5)) expect(after).not.toContain(hash)
    // What the reorg dropped is gone from the logs as well.
    const blockHashes = new Set((await logs(devchain)).map(log => log.blockHash))
    for (const hash of blockHashes) expect(after).toContain(hash)
    await Effect.runPromise(devchain.fork(1))
    await mineBlocks(devchain, 3)
    expect((await hashes(devchain)).slice(0, before.length)).toEqual(after.slice(0, before.length))
  })
})

describe("a restart", () => {
  test("continues the chain to the same hashes, logs included, by no other seed", async () => {
    const undisturbed = grown({ chain: "arc" }, 12)
    const dataDir = newFolder()
    const first = await open({ chain: "arc", dataDir })
    await mineBlocks(first.devchain, 6)
    const before = await logs(first.devchain)
    await first.stop()
    expect(isRunning(first.devchain.pid())).toBe(false)
    // refused, and nothing is started
    await expect(open({ chain: "arc", dataDir, seed: "another" })).rejects.toThrow(
      "seed swaptape), not of version 3, seed another: start with an empty data folder"
    )
    expect(programsOn(dataDir)).toEqual([])
    const second = await open({ chain: "arc", dataDir })
    expect(await logs(second.devchain)).toEqual(before)
    expect(second.devchain.identity).toBe(first.devchain.identity)
    await mineBlocks(second.devchain, 6)
    const whole = await undisturbed
    expect(await hashes(second.devchain)).toEqual(await hashes(whole.devchain))
  })

  test("after Anvil was killed mines the journalled blocks again, forks included", async () => {
    const dataDir = newFolder()
    const first = await open({ chain: "base", dataDir })
    await mineBlocks(first.devchain, 8)
    await Effect.runPromise(first.devchain.fork(3))
    await mineBlocks(first.devchain, 4)
    const before = await hashes(first.devchain)
    process.kill(first.devchain.pid(), "SIGKILL")
    await first.stop()
    const folder = join(dataDir, "devchain", "base")
    expect(readdirSync(folder).filter(name => name.startsWith("journal"))).toHaveLength(1)
    const second = await open({ chain: "base", dataDir })
    expect(await hashes(second.devchain)).toEqual(before)
    await mineBlocks(second.devchain, 1)
    expect(second.devchain.head().parentHash).toBe(before.at(-1))
  })

  test("after a kill has what a visitor sent, which no journal can make again", async () => {
    const dataDir = newFolder()
    const first = await open({ chain: "base", dataDir })
    const { rpc } = first.devchain
    await mineBlocks(first.devchain, 2)
    const visitor = visitorOf(await Effect.runPromise(rpc.call("eth_accounts")))
    const fees = { maxFeePerGas: hex(1e10), maxPriorityFeePerGas: hex(1e6) }
    const call = { from: visitor, to: visitor, value: hex(1), nonce: hex(0), gas: hex(21_000) }
    const sent = await Effect.runPromise(rpc.call("eth_sendTransaction", { ...call, ...fees }))
    const [block] = await mineBlocks(first.devchain, 1)
    await mineBlocks(first.devchain, 2)
    const before = await hashes(first.devchain)
    process.kill(first.devchain.pid(), "SIGKILL")
    await first.stop()
    const second = await open({ chain: "base", dataDir })
    expect(await hashes(second.devchain)).toEqual(before)
    const receipts = await Effect.runPromise(
      second.devchain.rpc.call("eth_getBlockReceipts", hex(block?.number ?? 0))
    )
    const own = receipts.filter(({ transactionHash }) => transactionHash === sent)
    expect(own.map(({ from, status }) => [from, status])).toEqual([[visitor, "0x1"]])
  })

  test("mines what a visitor's node priced, with dearer gas than Anvil expects", async () => {
    const { devchain } = await open({ chain: "arc", dataDir: newFolder() })
    await mineBlocks(devchain, 1)
    const visitor = visitorOf(await Effect.runPromise(devchain.rpc.call("eth_accounts")))
    const call = { from: visitor, to: visitor, value: hex(1), gas: hex(21_000) }
    const response = await fetch(devchain.rpcUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sendTransaction", params: [call] })
    })
    const { result: sent } = await response.json()
    const [block] = await mineBlocks(devchain, 1)
    const receipts = await Effect.runPromise(
      devchain.rpc.call("eth_getBlockReceipts", hex(block?.number ?? 0))
    )
    expect(receipts.map(({ transactionHash }) => transactionHash)).toContain(sent)
  })

  test("stops an Anvil that a killed run left on the folder, and no other process", async () => {
    const dataDir = newFolder()
    const first = await open({ chain: "base", dataDir })
    const left = first.devchain.pid()
    const second = await open({ chain: "base", dataDir })
    expect(isRunning(left)).toBe(false)
    expect(second.devchain.pid()).not.toBe(left)
    await second.stop()
    const config = join(dataDir, "devchain", "base-2", "anvil.json")
    const told = ["-e", "setInterval(() => {}, 1000)", "--", "--config-out", config]
    const innocent = spawn(process.execPath, told, { stdio: "ignore" })
    try {
      await once(innocent, "spawn")
      await open({ chain: "base", dataDir })
      expect(isRunning(innocent.pid as number)).toBe(true)
    } finally {
      innocent.kill("SIGKILL")
    }
  })
})

describe("a renewed Anvil", () => {
  test("has forgotten old blocks, and goes on with the same hashes", async () => {
    const undisturbed = grown({ chain: "base" }, 25)
    const store = await Effect.runPromise(
      openDevchainStore({
        folder: join(newFolder(), "base"),
        seed: "swaptape",
        // What startDevchain gives a chain without history.
        genesisTimeSeconds: 1_700_000_000 - 30,
        keepBlocks: 6
      })
    )
    const program = Effect.gen(function* () {
      const market = makeMarket(base, "swaptape")
      const control = yield* openControl({
        market,
        store,
        port: undefined,
        router: undefined,
        keepBlocks: 6,
        keepStates: 4
      })
      const time = () => control.session().head().time
      for (let i = 0; i < 20; i++) yield* control.step(time() + 1)
      yield* control.snapshot
      const pid = control.session().anvil.pid
      yield* control.reopen
      expect(control.session().anvil.pid).not.toBe(pid)
      for (let i = 0; i < 5; i++) yield* control.step(time() + 1)
      const { rpc, head } = control.session()
      const old = yield* rpc.call("eth_getBlockByNumber", "0x8", false)
      const kept = yield* rpc.call("eth_getBlockByNumber", hex(head().number - 8), false)
      return { hash: head().hash, old, kept: kept.hash }
    })
    const { hash, old, kept } = await Effect.runPromise(Effect.scoped(program))
    const expected = await hashes((await undisturbed).devchain)
    expect(hash).toBe(expected.at(-1))
    expect(kept).toBe(expected.at(-9))
    expect(old).toBeNull()
  })
})

describe("a live devchain", () => {
  test("mines by the clock, survives its Anvil, and leaves no process", {
    timeout: 120_000
  }, async () => {
    const dataDir = newFolder()
    const { devchain, stop } = await open({ chain: "base", blocks: "live", history: 5, dataDir })
    const started = devchain.head()
    expect(Math.abs(started.time - Date.now() / 1000)).toBeLessThan(atRest(10))
    await expect
      .poll(() => devchain.head().number, { timeout: 120_000 })
      .toBeGreaterThanOrEqual(started.number + 3)
    const before = await hashes(devchain)
    const pid = devchain.pid()
    process.kill(pid, "SIGKILL")
    await expect
      .poll(() => devchain.head().number, { timeout: 120_000 })
      .toBeGreaterThan(before.length + 1)
    expect(devchain.pid()).not.toBe(pid)
    expect((await hashes(devchain)).slice(0, before.length)).toEqual(before)
    await stop()
    expect(isRunning(devchain.pid())).toBe(false)
    expect(existsSync(join(dataDir, "devchain", "base", "meta.json"))).toBe(true)
  })
})
