/** An engine whose chain forks, deep and shallow, with readers of HTTP and of the live socket. */
import { isDeepStrictEqual } from "node:util"
import { type Engine, freePort, startEngine } from "./engine.ts"
import { startWorld, type World } from "./engine-world.ts"
import { LiveHolder, toldOf } from "./live-holder.ts"
import { temporaryFolder } from "./nats.ts"
import { isLong } from "./rounds.ts"
import { random, seed } from "./seed.ts"

const ROUNDS = isLong ? 60 : 3
/** How long its forks may take, with all that is waited for. */
export const FORKS_PATIENCE_MS = isLong ? 900_000 : 240_000
const SWAPS = 6
const TOKENS = isLong ? 40 : 6
/** Between two reads of each of the readers: they compare answers, and are no load test. */
const READ_PAUSE_MS = 20

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

export class ForkedEngine {
  readonly world: World
  readonly folder = temporaryFolder()
  /** of three tokens, by the live socket */
  readonly reader: LiveHolder
  readonly tokens: ReadonlyArray<string>
  private readonly port: number
  private readonly r = random("reorgs")
  private started: Engine | null = null

  private constructor(world: World, port: number) {
    this.world = world
    this.port = port
    this.tokens = world.market.tokens.slice(0, 3).map(({ address }) => address)
    this.reader = new LiveHolder(
      "base",
      this.tokens.flatMap(token => [
        { channel: "trades", token },
        { channel: "candles", token, tf: "1m" }
      ])
    )
  }

  static async open(): Promise<ForkedEngine> {
    console.log(`reorgs: SEED=${seed}`)
    const world = await startWorld("reorgs", { blocks: 110, swaps: SWAPS, tokens: TOKENS })
    const forked = new ForkedEngine(world, await freePort())
    await forked.start()
    return forked
  }

  get engine(): Engine {
    return this.started as Engine
  }

  /** Starts it on its folder, and waits until it and the reader are at the chain's head. */
  async start(): Promise<void> {
    const { endpoints: rpc } = this.world
    this.started = await startEngine({ dataDir: this.folder.path, rpc, port: this.port })
    await this.caughtUp()
    await this.reader.connect(this.port)
  }

  caughtUp(): Promise<void> {
    return this.engine.reaches("base", this.world.chain.head.number)
  }

  fork(depth: number): void {
    this.world.fork(depth, SWAPS)
  }

  /** One of the things a chain may do to who follows it. */
  private async happen(): Promise<void> {
    const { r, world } = this
    const kind = r.pick(["grow", "shallow", "deep", "shorter", "twice"])
    if (kind === "shallow") this.fork(r.integer(1, 3))
    else if (kind === "deep") this.fork(r.integer(10, 50))
    else if (kind === "twice") {
      this.fork(r.integer(2, 6))
      await pause(r.integer(0, 400))
      this.fork(r.integer(2, 6))
    } else if (kind === "shorter") {
      const depth = r.integer(3, 10)
      world.chain.rewind(depth)
      world.mine(r.integer(1, depth), SWAPS)
    }
    world.mine(r.integer(1, 4), SWAPS)
  }

  /** Forks a few times, and waits for what came of it. */
  async forks(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await this.happen()
      await pause(this.r.integer(0, 700))
    }
    this.fork(5)
    await this.caughtUp()
  }

  /**
   * Reads what it can while the chain forks: two answers that reflect one position must agree, and
   * each must be about the token that was asked for.
   */
  async readMeanwhile(until: () => boolean): Promise<ReadonlyArray<string>> {
    const seen = new Map<string, string>()
    const faults: Array<string> = []
    const compare = (key: string, body: unknown) => {
      const text = JSON.stringify(body)
      const before = seen.get(key) ?? text
      if (text !== before) faults.push(`${key}\n  ${before}\n  ${text}`)
      seen.set(key, text)
    }
    const r = random("reads")
    const one = async () => {
      const { address } = r.pick(this.world.market.tokens)
      const limit = r.integer(20, 400)
      const { status, seq, body } = await this.engine.get(
        `/tokens/trades/${address}?chain=8453&limit=${limit}`
      )
      if (status === 200)
        compare(`${address} at ${seq}`, { ...body, pageSize: 0, trades: body.trades.slice(0, 20) })
      else compare(`${address} at ${seq}`, status)
    }
    const all = Array.from({ length: 3 }, async () => {
      while (!until()) {
        await one()
        await pause(READ_PAUSE_MS)
      }
    })
    await Promise.all(all)
    return faults
  }

  /** What the reader holds, beside what HTTP answers. */
  private async heldAndTold() {
    const held: Array<unknown> = []
    const told: Array<unknown> = []
    for (const token of this.tokens) {
      const { reader } = this
      told.push(await toldOf(this.engine, token))
      held.push({ token, trades: reader.trades(token), candles: reader.candles(token, "1m") })
    }
    return { held, told }
  }

  /** What both tell once the frames of the newest commit are there, which HTTP may tell of before them. */
  async settled() {
    for (let tries = 0; ; tries++) {
      const found = await this.heldAndTold()
      if (tries === 50 || isDeepStrictEqual(found.held, found.told)) return found
      await pause(100)
    }
  }

  async close(): Promise<void> {
    await this.started?.end("SIGKILL")
    await this.world.close()
    this.folder.remove()
  }
}
