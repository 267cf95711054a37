import { createHash } from "node:crypto"
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  watch,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Effect, Stream } from "effect"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { bytesOf } from "../../../src/platform/value-bytes.ts"
import type { Event } from "../../../streams/event.ts"
import { batchOf } from "../../../streams/event-objects.ts"
import { testChain } from "../../../test/support/chain-config.ts"
import { type LogServer, startLogServer } from "../../../test/support/log-server.ts"
import { marketBlock, newMarket } from "../../../test/support/market.ts"
import { temporaryFolder } from "../../../test/support/nats.ts"
import { rounds } from "../../../test/support/rounds.ts"
import { startRouterHere, startRouterThread } from "../../../test/support/router-run.ts"
import { random, seed } from "../../../test/support/seed.ts"
import { mountSmallDisk } from "../../../test/support/small-disk.ts"
import { openTapeLog } from "../../log/tape-log.ts"
import type { QuoteOrder } from "../quote.ts"
import { type Snapshot, snapshotBytes, snapshotIn } from "./snapshot-bytes.ts"

const [dollar, native] = testChain.anchors
const market = newMarket(seed, dollar?.address ?? "", native?.address ?? "")
const ENGINE = "this engine"

let server: LogServer
let folder: ReturnType<typeof temporaryFolder>
let chains = 0
let chain = testChain
beforeAll(async () => {
  server = await startLogServer()
})
afterAll(() => server.stop())
beforeEach(() => {
  folder = temporaryFolder()
  chain = { ...testChain, key: `chain${++chains}` }
  return folder.remove
})

/** Blocks of a branch, each a batch of its own. */
const blocks = (branch: string, from: number, to: number, known: Set<string>) =>
  Array.from({ length: to - from + 1 }, (_, i) =>
    batchOf(marketBlock(seed, market, branch, from + i, null, 6, known))
  )

/** Appends batches to the chain's log; the seq of its end. */
const append = (batches: ReadonlyArray<ReturnType<typeof batchOf>>) =>
  server.run(
    Effect.gen(function* () {
      const log = yield* openTapeLog(chain.key)
      yield* Stream.runDrain(log.appendAll(Stream.fromIterable(batches)))
      return log.position().seq
    })
  )

const undo = (toSeq: number, height: number): Event => ({
  kind: "Rollback",
  block: { number: height, time: 1_700_000_000 + height * 7, hash: null, parentHash: null },
  ...{ tx: null, logIndex: 0, toSeq, toBlock: height, toHash: null, fromBlock: height + 1 },
  reason: "reorg"
})

/** A few blocks; fifty times as many, which none of the logs here has, while a log is read. */
const OFTEN = 30
const NEVER = 1_000_000
/** Looks at once whether a snapshot is due, and soon again where one could not be written. */
const pauses = { lookMs: 5, unwrittenMs: 50 }
const setting = (everyEvents: number) => ({
  ...{ folder: folder.path, engine: ENGINE, everyEvents },
  pauses
})
const names = () => readdirSync(folder.path).sort()
const seqOf = (name: string) => Number(name.slice(chain.key.length + 1, -".pools".length))

const orders = market.tokens.flatMap(({ address }): ReadonlyArray<QuoteOrder> => {
  const common = { maxHops: 2, onlyDex: null, gasPrice: null, suspects: [], taxed: [] } as const
  const ends = { tokenIn: market.tokens[0]?.address ?? "", tokenOut: address }
  if (ends.tokenIn === address) return []
  return [
    { ...common, ...ends, amount: 5_000_000n, exact: "in" },
    { ...common, tokenIn: ends.tokenOut, tokenOut: ends.tokenIn, amount: 90_000n, exact: "out" }
  ]
})

type Router = Pick<ReturnType<typeof startRouterHere>, "trade" | "status">

/** Waits until a router quotes the log up to a seq; what it quotes, as text. */
const quotesAt = async ({ trade, status }: Router, seq: number) => {
  await expect.poll(async () => status().then(s => [s.state, s.seq])).toEqual(["live", seq])
  const found = await Promise.all(
    orders.map(order => Effect.runPromise(trade.quote(chain.key, order)))
  )
  expect(found.filter(({ ok }) => ok).length).toBeGreaterThan(8)
  const text = (value: unknown) => (typeof value === "bigint" ? `${value}n` : value)
  return JSON.stringify([found, await status()], (_, value: unknown) => text(value))
}

/** What a router quotes that starts now, and ends then. */
const quotedBy = async (snapshots: Parameters<typeof startRouterHere>[2], seq: number) => {
  const router = startRouterHere(server, chain, snapshots)
  try {
    return await quotesAt(router, seq)
  } finally {
    await router.end()
  }
}

/** Runs a router until it wrote a snapshot of the log's end, and ends it as a kill does. */
const keepSnapshot = async (seq: number) => {
  const router = startRouterHere(server, chain, setting(OFTEN))
  await expect.poll(() => names().map(seqOf)).toContain(seq)
  await router.end()
}

const onDisk = (name: string): Promise<Snapshot> => {
  const bytes = readFileSync(join(folder.path, name))
  return Effect.runPromise(snapshotIn(bytes, { engine: ENGINE, chain: ownerIn(bytes) }))
}

/** The digest of the chain's description that a snapshot's first part names. */
const ownerIn = (bytes: Buffer): string => /[0-9a-f]{64}/.exec(bytes.toString("latin1"))?.[0] ?? ""

/** A part of a snapshot's file, behind its length. */
const partOf = (value: unknown): Buffer => {
  const length = Buffer.alloc(4)
  const content = bytesOf(value)
  length.writeUInt32BE(content.length)
  return Buffer.concat([length, content])
}

/** Bytes with their SHA-256 behind them. */
const hashed = (...parts: ReadonlyArray<Buffer>): Buffer => {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([bytes, createHash("sha256").update(bytes).digest()])
}

it("begins a start with the snapshot, and quotes the same as from the log alone", async () => {
  const known = new Set<string>()
  await keepSnapshot(await append(blocks("main", 1, 90, known)))
  const end = await append(blocks("main", 91, 120, known))
  const restarted = await quotedBy(setting(NEVER), end)
  expect(restarted).toBe(await quotedBy(null, end))
  // a pool that is in the snapshot alone shows that it was begun with
  const [name = ""] = names()
  const snapshot = await onDisk(name)
  const { pools } = snapshot.image
  const marked = [
    ...pools,
    { ...(pools[0] as (typeof pools)[number]), pool: `0x${"fe".repeat(20)}` }
  ]
  const parts = snapshotBytes({ ...snapshot, image: { ...snapshot.image, pools: marked } })
  writeFileSync(join(folder.path, name), Buffer.concat([...parts]))
  const status = JSON.parse(await quotedBy(setting(NEVER), end))[1]
  expect(status.pools).toBe(JSON.parse(restarted)[1].pools + 1)
})

it("throws a snapshot away that is damaged, cut short, or of another engine or chain", async () => {
  const end = await append(blocks("main", 1, 70, new Set()))
  const expected = await quotedBy(null, end)
  const rewritten = async (name: string, change: (snapshot: Snapshot) => Snapshot) => {
    const parts = snapshotBytes(change(await onDisk(name)))
    writeFileSync(join(folder.path, name), Buffer.concat([...parts]))
  }
  const damages: ReadonlyArray<(path: string, name: string) => unknown> = [
    path => {
      const bytes = readFileSync(path)
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] as number) ^ 1
      writeFileSync(path, bytes)
    },
    path => truncateSync(path, 1000),
    path => truncateSync(path, 0),
    // whole by its hash, and no snapshot
    path => writeFileSync(path, hashed(Buffer.from("no"))),
    path => writeFileSync(path, hashed(partOf(null), partOf([]))),
    path => writeFileSync(path, hashed(partOf({ owner: null }), partOf(7), partOf("pools"))),
    (_, name) => rewritten(name, one => ({ ...one, owner: { ...one.owner, engine: "older" } })),
    (_, name) => rewritten(name, one => ({ ...one, owner: { ...one.owner, chain: "other" } })),
    // of a log that was another one at that place
    (_, name) =>
      rewritten(name, one => ({ ...one, position: { ...one.position, hash: "0".repeat(64) } }))
  ]
  await keepSnapshot(end)
  const kept = names().map(name => [name, readFileSync(join(folder.path, name))] as const)
  for (const damage of damages) {
    for (const [name, bytes] of kept) writeFileSync(join(folder.path, name), bytes)
    for (const name of names()) await damage(join(folder.path, name), name)
    expect(await quotedBy(setting(NEVER), end)).toBe(expected)
    expect(names()).toEqual([])
  }
})

it("goes back behind a snapshot that a fork undid, to an older one", async () => {
  const known = new Set<string>()
  const older = await append(blocks("main", 1, 70, known))
  await keepSnapshot(older)
  const before = new Set(known)
  const middle = await append(blocks("main", 71, 75, known))
  await keepSnapshot(await append(blocks("main", 76, 80, known)))
  expect(names().map(seqOf)).toContain(older)
  // a router that lives through the fork, and one that starts after it
  const alive = startRouterHere(server, chain, setting(NEVER))
  await append([batchOf([undo(middle, 75)]), ...blocks("fork", 76, 82, before)])
  const end = await append(blocks("fork", 83, 84, before))
  const expected = await quotedBy(null, end)
  expect(await quotesAt(alive, end)).toBe(expected)
  await alive.end()
  expect(await quotedBy(setting(NEVER), end)).toBe(expected)
})

it("knows after a start what the chain undid before the snapshot", async () => {
  const known = new Set<string>()
  const middle = await append(blocks("main", 1, 60, known))
  const before = new Set(known)
  const quoted = await append(blocks("main", 61, 62, known))
  const end = await append([batchOf([undo(middle, 60)]), ...blocks("fork", 61, 64, before)])
  await keepSnapshot(end)
  const restarted = startRouterHere(server, chain, setting(NEVER))
  await quotesAt(restarted, end)
  const undone = (seq: number) => Effect.runPromise(restarted.trade.undone(chain.key, seq))
  expect([await undone(quoted), await undone(middle), await undone(end)]).toEqual([
    ...[true, false, false]
  ])
  await restarted.end()
})

it("throws a snapshot away that has the name of another position", async () => {
  const end = await append(blocks("main", 1, 70, new Set()))
  await keepSnapshot(end)
  renameSync(join(folder.path, names()[0] ?? ""), join(folder.path, `${chain.key}-7.pools`))
  expect(await quotedBy(setting(NEVER), end)).toBe(await quotedBy(null, end))
  expect(names()).toEqual([])
})

it("begins with what a thread wrote that was terminated", async () => {
  const known = new Set<string>()
  const kept = await append(blocks("main", 1, 70, known))
  const place = { folder: folder.path, everyEvents: OFTEN, pauses }
  writeFileSync(join(folder.path, `${chain.key}-7.pools.new`), "half")
  const first = await startRouterThread(server, chain, place)
  await expect.poll(() => names().map(seqOf)).toContain(kept)
  await first.end()
  const end = await append(blocks("main", 71, 75, known))
  const again = await startRouterThread(server, chain, { ...place, everyEvents: NEVER })
  expect(await quotesAt(again, end)).toBe(await quotedBy(null, end))
  await again.end()
  expect(names()).toEqual([`${chain.key}-${kept}.pools`])
})

it("leaves alone what a chain writes whose key begins with its own", async () => {
  const other = `${chain.key}-two-7.pools`
  for (const name of [other, `${other}.new`]) writeFileSync(join(folder.path, name), "another's")
  writeFileSync(join(folder.path, `${chain.key}-7.pools.new`), "half")
  const end = await append(blocks("main", 1, 9, new Set()))
  const router = startRouterHere(server, chain, setting(OFTEN))
  await expect.poll(names).toEqual([`${chain.key}-${end}.pools`, other, `${other}.new`])
  await router.end()
})

it("says while no snapshot can be written, and writes one as soon as it can be", async () => {
  const inTheWay = join(folder.path, "in the way")
  writeFileSync(inTheWay, "")
  const end = await append(blocks("main", 1, 9, new Set()))
  const router = startRouterHere(server, chain, { ...setting(OFTEN), folder: inTheWay })
  const told = () => router.status().then(({ state, warnings }) => [state, ...warnings])
  const words = `no snapshot of the pools is written: create folder ${inTheWay}: ${inTheWay} is a file: move it away`
  await expect.poll(told).toEqual(["live", words])
  rmSync(inTheWay)
  await expect.poll(told).toEqual(["live"])
  expect(readdirSync(inTheWay)).toEqual([`${chain.key}-${end}.pools`])
  await router.end()
})

/** Resolves once a snapshot is being written. */
const writing = () =>
  new Promise<void>(resolve => {
    const watcher = watch(folder.path, (_, name) => {
      if (name?.endsWith(".new") !== true) return
      watcher.close()
      resolve()
    })
  })

it("quotes the same after a thread was terminated while it wrote a snapshot", async () => {
  const chance = random("snapshots cut off")
  const known = new Set<string>()
  const place = { folder: folder.path, everyEvents: OFTEN, pauses }
  let height = 1
  const more = (count: number) => append(blocks("main", height, (height += count) - 1, known))
  let end = await more(40)
  for (let round = 0; round < rounds(8); round++) {
    const written = writing()
    const thread = await startRouterThread(server, chain, place)
    end = await more(5)
    await written
    await new Promise(resolve => setTimeout(resolve, chance.integer(0, 20)))
    await thread.end()
  }
  const again = await startRouterThread(server, chain, { ...place, everyEvents: NEVER })
  expect(await quotesAt(again, end)).toBe(await quotedBy(null, end))
  await again.end()
})

const small = mountSmallDisk(1)
if (small === null) console.log("no disk may be mounted here: what a full one does is not tested")
afterAll(() => small?.remove())

it.skipIf(small === null)(
  "keeps the snapshot there is where the disk fills in the next",
  async () => {
    const disk = small as NonNullable<typeof small>
    const on = { ...setting(OFTEN), folder: disk.path }
    const onDisk = () => readdirSync(disk.path).sort()
    const nameOf = (seq: number) => `${chain.key}-${seq}.pools`
    const known = new Set<string>()
    const first = await append(blocks("main", 1, 70, known))
    const router = startRouterHere(server, chain, on)
    const told = () => router.status().then(({ seq, warnings }) => [seq, ...warnings])
    await expect.poll(onDisk).toEqual([nameOf(first)])
    // room for a part of a snapshot alone
    const room = join(disk.path, "room")
    writeFileSync(room, new Uint8Array(8192))
    disk.fill()
    rmSync(room)
    const end = await append(blocks("main", 71, 75, known))
    const path = join(disk.path, nameOf(end))
    const words = `no snapshot of the pools is written: write ${path}: ENOSPC: no space left on device, write`
    await expect.poll(told).toEqual([end, words])
    expect(onDisk()).toEqual([nameOf(first)])
    const restarted = await quotedBy({ ...on, everyEvents: NEVER }, end)
    expect(restarted).toBe(await quotedBy(null, end))
    disk.free()
    await expect.poll(told).toEqual([end])
    expect(onDisk()).toEqual([nameOf(first), nameOf(end)].sort())
    await router.end()
  }
)
