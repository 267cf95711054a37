/**
 * A side log that is damaged or lost, and what `npm run log -- check`, `cut` and `repair` make of
 * it; and a repair whose node is dead.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, eventually, freePort, startEngine } from "../support/engine.ts"
import { FakeChain } from "../support/fake-chain.ts"
import { type FakeRpc, startFakeRpc } from "../support/fake-rpc.ts"
import { deployMintable, mint, move } from "../support/fake-supply.ts"
import { temporaryFolder } from "../support/nats.ts"
import { oneAfterTheOther } from "../support/one-after-the-other.ts"

/** The cutting, which is rare, and an engine after each repair belong to the long run. */
const isLong = process.env["SWAPTAPE_LONG"] === "1"
const TOKEN = `0x${"c3".repeat(20)}` as const
const CREATED = 2
const folder = temporaryFolder()
const data = join(folder.path, "data")
const whole = join(folder.path, "whole")
const streams = join(data, "nats", "jetstream", "$G", "streams")
const chain = new FakeChain(5042, 1)
let rpc: FakeRpc
let engine: Engine

const env = (urls = [rpc.wsUrl, rpc.url]) => ({
  ...{ DATA_DIR: data, RPC_5042: urls.join(","), START_5042: "0", PIN_5042: TOKEN }
})
const log = (...args: ReadonlyArray<string>) =>
  runCommand("log", [...args, "--chain", "arc"], env())

const mine = (blocks: number) => {
  for (let i = 0; i < blocks; i++) chain.mine([move(TOKEN, 5n), move(TOKEN, 7n)])
}

/** Blocks come until the ledger is whole; what it tells of its holders. */
const holders = async () => {
  const path = `/arc/token/${TOKEN}/holders`
  await eventually("the whole ledger", async () => {
    const { status, body } = await engine.get(path)
    const head = chain.head.number
    if (status === 200 && body.complete && body.coverage.forwardCursor === head) return true
    if (status !== 200 || body.coverage.forwardCursor === head) mine(1)
    return false
  })
  const { top, supplyMatches, coverage } = (await engine.get(path)).body
  expect([supplyMatches, coverage.logs]).toEqual([true, 2 * chain.head.number - 3])
  return top.map(({ holder }: { holder: string }) => holder)
}

const start = async (pins: Record<string, string> = { PIN_5042: TOKEN }) => {
  engine = await startEngine({ dataDir: data, rpc: { 5042: [rpc.wsUrl, rpc.url] }, env: pins })
  await engine.ready()
}

const restore = () => {
  rmSync(data, { recursive: true, force: true })
  cpSync(whole, data, { recursive: true })
}

const isChecked = async () => {
  const checked = await log("check")
  expect(checked.code, checked.output).toBe(0)
}

/** That the repaired log is whole, and that an engine on it comes to the whole ledger. */
const isAsEver = async () => {
  if (isLong) await isChecked()
  await start()
  expect((await holders()).length).toBe(2)
  await engine.stop()
  await isChecked()
}

oneAfterTheOther()

beforeAll(async () => {
  rpc = await startFakeRpc(chain, "mend-side")
  chain.mine([])
  deployMintable(chain, TOKEN)
  chain.createdAt.set(TOKEN, CREATED)
  chain.mine([mint(TOKEN, 10n ** 12n)])
  mine(30)
  // blocks that the log has before the pin
  await start({})
  await engine.reaches("arc", chain.head.number)
  await engine.stop()
  await start()
  await holders()
  await engine.stop()
  cpSync(data, whole, { recursive: true })
})

afterAll(async () => {
  await engine?.end("SIGKILL")
  await rpc?.close()
  folder.remove()
})

it("is told and read again where a bit of it flipped", async () => {
  expect((await log("check")).output).toMatch(
    /the log of arc is whole: [\s\S]*the side log of arc is whole: \d+ events in \d+ segments/
  )
  const file = join(streams, "PINS_ARC", "msgs", "1.blk")
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(file, bytes)
  const checked = await log("check")
  expect(checked.code).toBe(1)
  expect(checked.output).toMatch(/the side log of arc: .* is broken at message \d+: /)
  const repaired = await log("repair", "--from-source")
  expect(repaired.code, repaired.output).toBe(0)
  expect(repaired.output).toMatch(/the log of arc joins events 1\.\.\d+ of its side log, which has/)
  expect(repaired.output).toMatch(/the log of arc is whole again: \d+ events up to block \d+/)
  await (isLong ? isAsEver() : isChecked())
})

it("is read again where it is lost, and not lost for a node that is dead", async () => {
  restore()
  rmSync(join(streams, "PINS_ARC"), { recursive: true })
  const checked = await log("check")
  expect({ code: checked.code, output: checked.output }).toEqual({
    code: 1,
    output: expect.stringContaining("of its side log, which has not got them as they were")
  })
  const dead = [`http://127.0.0.1:${await freePort()}`]
  const args = ["repair", "--from-source", "--chain", "arc", "--patience", "2"]
  const gaveUp = await runCommand("log", args, env(dead))
  expect(gaveUp.code).toBe(1)
  expect(gaveUp.output).toMatch(
    /nothing came from the source of arc for 2 s: .* Mended so far: what was damaged is cut off, its first \d+ events, \d+ segments up to block \d+ are kept, and the log is whole up to block \d+\. Once the nodes of RPC_5042 answer, npm start reads on from there\n$/
  )
  await isAsEver()
})

it.runIf(isLong)("is cut only where the log joins nothing of what would go", async () => {
  restore()
  const refused = await log("cut", "--side", "--to", "0", "--yes")
  expect(refused.code).toBe(1)
  const found =
    /which would go: cut the log first, "npm run log -- cut --chain arc --to (\d+)"/.exec(
      refused.output
    )
  expect(found, refused.output).not.toBeNull()
  expect((await log("cut", "--to", found?.[1] ?? "", "--yes")).code).toBe(0)
  const cut = await log("cut", "--side", "--to", "0", "--yes")
  expect(cut.code, cut.output).toBe(0)
  expect(cut.output).toContain("keeps of the side log of arc nothing of it")
  await isAsEver()
})
