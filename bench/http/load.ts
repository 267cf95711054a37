/**
 * Load on a server of this machine. `fullLoad` asks as fast as it is answered: by wrk where it is
 * installed, else by a client of our own, which costs the server more of the machine. `steadyLoad`
 * asks at fixed times whether or not earlier answers came, as many users do, so that a stall
 * counts for every request that met it.
 */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { outputOf, startCommand } from "../measure/programs.ts"
import { quantile } from "../measure/quantile.ts"
import { KeepAliveClient } from "./keep-alive-client.ts"

export interface Load {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface LoadOptions {
  readonly port: number
  /** asked for one after the other, again from the start at the end */
  readonly paths: ReadonlyArray<string>
  readonly seconds: number
  readonly connections: number
  /** where files of a run go */
  readonly folder: string
}

const refuseErrors = (errors: number): void => {
  if (errors > 0) throw new Error(`${errors} requests were not answered with 200`)
}

let wrkWorks: boolean | null = null

/** Whether wrk is installed; it answers `-v` with its version and an exit code of 1. */
export const hasWrk = (): boolean => {
  wrkWorks ??= spawnSync("wrk", ["-v"], { encoding: "utf8" }).stdout?.startsWith("wrk") ?? false
  return wrkWorks
}

const wrkLoad = async (options: LoadOptions): Promise<Load> => {
  const { port, paths, seconds, connections, folder } = options
  const list = join(folder, "paths.txt")
  writeFileSync(list, `${paths.join("\n")}\n`)
  const args = [
    ...["-t", "1", "-c", String(connections), "-d", `${Math.round(seconds)}s`],
    ...["-s", join(import.meta.dirname, "load.lua"), `http://127.0.0.1:${port}`, "--", list]
  ]
  const output = await outputOf(startCommand("wrk", args))
  const found = /measured (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(output)
  if (found === null) throw new Error(`wrk said: ${output}`)
  const [requests, micros, p50, p99, errors] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number
  ]
  refuseErrors(errors)
  return {
    requests,
    perSecond: (requests / micros) * 1e6,
    p50Ms: p50 / 1000,
    p99Ms: p99 / 1000
  }
}

/** Opens connections for as long as `use` runs. */
const withClients = async <A>(
  port: number,
  count: number,
  use: (clients: ReadonlyArray<KeepAliveClient>) => Promise<A>
): Promise<A> => {
  const clients = await Promise.all(Array.from({ length: count }, () => KeepAliveClient.open(port)))
  try {
    return await use(clients)
  } finally {
    for (const client of clients) client.close()
  }
}

const loadOf = (latencies: ReadonlyArray<number>, errors: number, seconds: number): Load => {
  refuseErrors(errors)
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99)
  }
}

const ownLoad = (options: LoadOptions): Promise<Load> =>
  withClients(options.port, options.connections, async clients => {
    const { paths, seconds } = options
    const latencies: Array<number> = []
    let errors = 0
    let next = 0
    const began = performance.now()
    const end = began + seconds * 1000
    await Promise.all(
      clients.map(async client => {
        while (performance.now() < end) {
          const asked = performance.now()
          const { status } = await client.get(paths[next++ % paths.length] as string)
          if (status !== 200) errors++
          latencies.push(performance.now() - asked)
        }
      })
    )
    return loadOf(latencies, errors, (performance.now() - began) / 1000)
  })

/** As fast as the server answers on so many connections. wrk counts in whole seconds. */
export const fullLoad = (options: LoadOptions): Promise<Load> =>
  hasWrk() && options.seconds >= 1 ? wrkLoad(options) : ownLoad(options)

export interface SteadyOptions extends Omit<LoadOptions, "folder"> {
  readonly perSecond: number
}

/**
 * So many requests a second, evenly. A request's latency runs from the moment it was due, also
 * where it had to wait for a free connection.
 */
export const steadyLoad = (options: SteadyOptions): Promise<Load> =>
  withClients(options.port, options.connections, async clients => {
    const { paths, seconds, perSecond } = options
    const free = [...clients]
    const due: Array<{ readonly path: string; readonly at: number }> = []
    const latencies: Array<number> = []
    let errors = 0
    const serve = async (client: KeepAliveClient): Promise<void> => {
      for (let one = due.shift(); one !== undefined; one = due.shift()) {
        const { status } = await client.get(one.path)
        if (status !== 200) errors++
        latencies.push(performance.now() - one.at)
      }
      free.push(client)
    }
    const running: Array<Promise<void>> = []
    const count = Math.max(1, Math.round(seconds * perSecond))
    const began = performance.now()
    for (let i = 0; i < count; i++) {
      const wait = began + (i * 1000) / perSecond - performance.now()
      // the timer's own lateness is the client's fault, so the clock starts when it fires
      if (wait > 0) await sleep(wait)
      due.push({ path: paths[i % paths.length] as string, at: performance.now() })
      // the one that rested longest: the server closes connections that are idle for 10 seconds
      const client = free.shift()
      if (client !== undefined) running.push(serve(client))
    }
    await Promise.all(running)
    return loadOf(latencies, errors, (performance.now() - began) / 1000)
  })
