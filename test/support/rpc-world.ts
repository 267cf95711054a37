/** A scripted chain, fake nodes that tell of it, and a source that reads them. */
import { expect } from "vitest"
import type { Event } from "../../streams/event.ts"
import { NodeWorld, waitFor } from "./node-world.ts"
import { type RpcRun, type RunOptions, startRun } from "./rpc-source.ts"

export class RpcWorld extends NodeWorld {
  private started: RpcRun | null = null

  /** What was started last. */
  get run(): RpcRun {
    return this.started as RpcRun
  }

  /** Reads all nodes, unless others are told, instead of what ran before. */
  async start(
    options: Partial<RunOptions> = {},
    before: ReadonlyArray<Event> = []
  ): Promise<RpcRun> {
    await this.started?.stop()
    this.started = await startRun({ endpoints: this.urls, ...options }, before)
    return this.started
  }

  /** The log comes to stand at the chain's head. */
  async reached(timeoutMs?: number): Promise<void> {
    expect(await this.run.reach(this.chain, timeoutMs)).toBe(true)
  }

  until(what: string, isSo: () => boolean): Promise<void> {
    const { status, error } = this.run
    return waitFor({ what, isSo, status, ended: () => error()?.message ?? null })
  }

  async end(): Promise<void> {
    await this.started?.stop()
    await this.closeNodes()
  }
}
