/** Whether the counters of `/metrics` ever run back while one process tells them. */
import { setTimeout as sleep } from "node:timers/promises"
import { get } from "../../support/get.ts"
import { Watch } from "./watch.ts"

const EVERY_MS = 700

/** Values of all counters, and of the parts of histograms, which are counters too. */
const countersOf = (text: string): ReadonlyMap<string, number> => {
  const counters = new Set<string>()
  const found = new Map<string, number>()
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? []
    if (name !== undefined && type === "counter") counters.add(name)
    if (name !== undefined && type === "histogram") {
      for (const part of ["count", "sum", "bucket"]) counters.add(`${name}_${part}`)
    }
    const [, series, value] = /^([^#\s]\S*(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    if (series !== undefined && counters.has(series.split("{")[0] ?? "")) {
      found.set(series, Number(value))
    }
  }
  return found
}

export class CounterWatch extends Watch {
  readonly faults: Array<string> = []
  /** answers that were looked at */
  looks = 0
  private readonly url: string
  /** tells processes apart */
  private readonly process: () => number

  constructor(origin: string, process: () => number) {
    super()
    this.url = `${origin}/metrics`
    this.process = process
  }

  protected override async run(): Promise<void> {
    let before: ReadonlyMap<string, number> = new Map()
    let of = 0
    while (!this.isStopped) {
      const pid = this.process()
      const now = await this.look()
      if (now !== null && pid === this.process()) {
        if (pid === of) this.compare(before, now)
        before = now
        of = pid
      }
      await sleep(EVERY_MS)
    }
  }

  private async look(): Promise<ReadonlyMap<string, number> | null> {
    try {
      const { text } = await get(this.url, {}, 5000)
      this.looks++
      return countersOf(text)
    } catch {
      return null
    }
  }

  private compare(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): void {
    for (const [series, value] of before) {
      const next = now.get(series)
      if (next === undefined || next < value) this.faults.push(`${series}: ${value}, then ${next}`)
    }
  }
}
