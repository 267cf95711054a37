/**
 * A lane as it runs, on a real nats-server and behind the real API, whose log changes late: and
 * what its readers are told meanwhile.
 */

import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Exit, Layer, Scope, Stream } from "effect"
import { type LaneClient, makeLaneClient } from "../../engine/lane/lane-client.ts"
import { openTapeLog, type TapeLog } from "../../engine/log/tape-log.ts"
import { allProjections } from "../../projections/all.ts"
import type { LaneInput } from "../../src/bin/lane-worker.ts"
import { spawnLane } from "../../src/bin/spawn-lane.ts"
import { JetStream } from "../../src/platform/jetstream.ts"
import type { Event, EventOf } from "../../streams/event.ts"
import { batchOf } from "../../streams/event-objects.ts"
import { startApi, type TestApi } from "./api-server.ts"
import { testChain } from "./chain-config.ts"
import { get } from "./get.ts"
import { allSegments, openRaw } from "./log-server.ts"
import { marketBlock, newMarket } from "./market.ts"
import { MemoryLane } from "./memory-lane.ts"
import { MemoryLog } from "./memory-log.ts"
import { startNats, type TestNats, temporaryFolder } from "./nats.ts"
import { PATIENCE_MS } from "./patience.ts"

export const until = async (what: string, check: () => boolean): Promise<void> => {
  for (const from = Date.now(); Date.now() - from < PATIENCE_MS; await sleep(5)) {
    if (check()) return
  }
  throw new Error(`${what} did not come true`)
}

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

export interface Answer {
  readonly status: number
  readonly seq: string | null
  readonly etag: string | null
  readonly body: string
}

export const read = async ({ url }: TestApi, path: string): Promise<Answer> => {
  const { headers, status, text } = await get(url + path)
  const seq = headers["x-log-seq"]?.toString() ?? null
  return { status, seq, etag: headers.etag ?? null, body: text }
}

/** Blocks of one market, the same however often they are asked for. */
export class MarketChain {
  readonly market: ReturnType<typeof newMarket>
  private readonly label: string
  private readonly swaps: number

  constructor(label: string, swaps: number) {
    const [usd, native] = testChain.anchors
    this.label = label
    this.swaps = swaps
    this.market = newMarket(label, usd?.address ?? "", native?.address ?? "")
  }

  /** Blocks of a branch, as a source reads them that knows nothing yet, or what `known` has. */
  blocks(from: number, to: number, branch = "main", known = new Set<string>()) {
    return Array.from({ length: to - from + 1 }, (_, i) =>
      marketBlock(this.label, this.market, branch, from + i, null, this.swaps, known)
    )
  }
}

export class LateWorld {
  readonly chain: MarketChain
  private readonly folder = temporaryFolder()
  private readonly input: Partial<LaneInput>
  private nats: TestNats | null = null
  private scope: Scope.Closeable | null = null
  private worker: Scope.Closeable | null = null
  private jetStream: Layer.Layer<JetStream> | null = null
  private opened: TapeLog | null = null
  private client: LaneClient | null = null
  private served: TestApi | null = null

  constructor(chain: MarketChain, input: Partial<LaneInput> = {}) {
    this.chain = chain
    this.input = input
  }

  get log(): TapeLog {
    return this.opened as TapeLog
  }
  get lane(): LaneClient {
    return this.client as LaneClient
  }
  get api(): TestApi {
    return this.served as TestApi
  }
  get file(): string {
    return join(this.folder.path, "lanes", "base.duckdb")
  }

  /** Starts everything but the lane's worker. */
  async open(): Promise<void> {
    this.nats = await startNats()
    const scope = await run(Scope.make())
    this.scope = scope
    const built = Layer.build(JetStream.layer({ url: this.nats.url }))
    this.jetStream = Layer.succeedContext(await run(built.pipe(Scope.provide(scope))))
    await this.openLog()
    this.client = await run(makeLaneClient(testChain, allProjections))
    this.served = await startApi([this.client])
  }

  private async openLog(): Promise<void> {
    const layer = this.jetStream as Layer.Layer<JetStream>
    this.opened = await run(openTapeLog("base").pipe(Effect.provide(layer)))
  }

  /** As a log whose newest blocks, or all, were lost with its disk. */
  async loseLog(): Promise<void> {
    const raw = await openRaw(this.nats?.url ?? "")
    await raw.deleteStream("base")
    await raw.close()
    await this.openLog()
  }

  async startLane(): Promise<void> {
    this.worker = await run(Scope.make())
    const input: LaneInput = {
      ...{ chain: testChain, natsUrl: this.nats?.url ?? "", file: this.file, threads: 1 },
      ...{ isCopied: true, json: false, ...this.input }
    }
    const handle = await run(spawnLane(input).pipe(Scope.provide(this.worker)))
    this.lane.attach(handle)
  }

  async stopLane(): Promise<void> {
    if (this.worker === null) return
    await run(Scope.close(this.worker, Exit.void))
    this.worker = null
    this.lane.lost("it is being restarted")
  }

  append(events: ReadonlyArray<Event>): Promise<unknown> {
    return run(this.log.append(batchOf(events)))
  }

  /** Appends blocks one by one. */
  async grow(blocks: ReadonlyArray<ReadonlyArray<Event>>): Promise<void> {
    for (const events of blocks) await this.append(events)
  }

  /** Puts late blocks in their place. */
  replace(from: number, to: number): Promise<unknown> {
    const batches = Stream.fromIterable(this.chain.blocks(from, to).map(batchOf))
    return run(this.log.replace({ fromBlock: from, toBlock: to, batches }))
  }

  /** The chain goes on from after `block` with another branch. */
  reorg(block: number, next: ReadonlyArray<Event>, from: number): Promise<unknown> {
    const at = { ...(next[0] as Event).block, number: block }
    const rollback: Event = {
      ...{ kind: "Rollback", block: { ...at, hash: null, parentHash: null }, tx: null },
      ...{ logIndex: 0, toSeq: 0, toBlock: block, toHash: null, fromBlock: from, reason: "reorg" }
    } as EventOf<"Rollback">
    return this.append([rollback, ...next])
  }

  /** Whether the lane answers of all that the log holds. */
  isThere(): boolean {
    const { state } = this.lane.status()
    return state === "live" && this.lane.seq() === this.log.position().seq
  }

  /** An engine that never saw anything late: it folds the log in one go, behind an API. */
  async untouched() {
    const log = new MemoryLog()
    log.segments.push(...(await run(allSegments(this.log))))
    const lane = new MemoryLane(testChain, log)
    await lane.start()
    await lane.fold(log.segments.length)
    await lane.commit()
    const api = await startApi([lane])
    const close = async () => {
      await api.close()
      await lane.close()
    }
    return { api, close }
  }

  async close(): Promise<void> {
    await this.served?.close()
    await this.stopLane()
    if (this.scope !== null) await run(Scope.close(this.scope, Exit.void))
    await this.nats?.stop()
    this.folder.remove()
  }
}
