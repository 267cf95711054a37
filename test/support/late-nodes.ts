/** A scripted chain, fake nodes that tell of it, and a source whose log is on a real server. */
import { type LateRun, type LateRunOptions, startLate } from "./late-run.ts"
import { type LogServer, startLogServer } from "./log-server.ts"
import { NodeWorld, waitFor } from "./node-world.ts"

export class LateNodes extends NodeWorld {
  server: LogServer
  private started: LateRun | null = null

  private constructor(server: LogServer) {
    super()
    this.server = server
  }

  static async open(): Promise<LateNodes> {
    return new LateNodes(await startLogServer())
  }

  /** What was started last. */
  get run(): LateRun {
    return this.started as LateRun
  }

  /** Reads all nodes, unless others are told, and goes on with the log as it is. */
  async start(options: Partial<LateRunOptions> = {}): Promise<LateRun> {
    await this.started?.kill()
    this.started = await startLate(this.server, { endpoints: this.urls, ...options })
    return this.started
  }

  /** A server with nothing on it takes the place of the log's. */
  async loseLog(): Promise<void> {
    await this.started?.kill()
    await this.server.stop()
    this.server = await startLogServer()
  }

  /** Whether the log stands at the chain's head. */
  isAtHead(): boolean {
    return this.run.loggedBlock() === this.chain.head.number
  }

  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const { status, late, ended } = this.run
    return waitFor({ what, isSo, status: () => [late, status()], ended })
  }

  untilHead(): Promise<void> {
    return this.until("the head", () => this.isAtHead())
  }

  async end(): Promise<void> {
    await this.started?.kill()
    await this.closeNodes()
    await this.server.stop()
  }
}
