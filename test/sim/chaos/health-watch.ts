/** What `/v1/health` says from moment to moment; no answer is not well. */
import { setTimeout as sleep } from "node:timers/promises"
import { atRest } from "../../support/engine.ts"
import { get } from "../../support/get.ts"
import { Watch } from "./watch.ts"

interface Sample {
  /** by `performance.now`, once it was answered */
  readonly at: number
  readonly ok: boolean
  readonly words: string
}

const EVERY_MS = 250
const PATIENCE_MS = 1000
/** What must show does so within five seconds, and is seen by the next question after. */
export const SHOWN_MS = 5000 + EVERY_MS + PATIENCE_MS

export class HealthWatch extends Watch {
  readonly faults: Array<string> = []
  readonly samples: Array<Sample> = []
  private readonly url: string

  constructor(origin: string) {
    super()
    this.url = `${origin}/v1/health`
  }

  protected override async run(): Promise<void> {
    while (!this.isStopped) {
      this.samples.push(await this.sample())
      await sleep(EVERY_MS)
    }
  }

  private async sample(): Promise<Sample> {
    try {
      const { status, text } = await get(this.url, {}, PATIENCE_MS)
      return { at: performance.now(), ok: status === 200, words: text }
    } catch {
      return { at: performance.now(), ok: false, words: "no answer" }
    }
  }

  /** Waits until it is said that something is not well; too late is a fault. */
  async shown(what: string, since: number): Promise<void> {
    const isSaid = () => this.samples.some(({ at, ok }) => at > since && !ok)
    while (!isSaid()) {
      if (performance.now() - since > atRest(SHOWN_MS)) {
        this.faults.push(`${what}: health was ok for ${Math.round(performance.now() - since)} ms`)
        return
      }
      await sleep(EVERY_MS / 2)
    }
  }

  /** Says whether health was ok at any time of a stretch, in which something was wrong. */
  okWithin(from: number, to: number): boolean {
    return this.samples.some(({ at, ok }) => ok && at > from && at < to)
  }

  /** Waits for three good answers in a row from now on. */
  async well(boundMs: number): Promise<void> {
    const since = performance.now()
    for (;;) {
      const newest = this.samples.filter(({ at }) => at > since).slice(-3)
      if (newest.length === 3 && newest.every(({ ok }) => ok)) return
      if (performance.now() - since > boundMs) {
        throw new Error(`not well ${boundMs} ms after all faults: ${newest.at(-1)?.words}`)
      }
      await sleep(EVERY_MS)
    }
  }
}
