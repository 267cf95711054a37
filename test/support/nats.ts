import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ManagedRuntime } from "effect"
import { DataLock } from "../../src/platform/data-lock.ts"
import {
  NatsServer,
  type NatsServerOptions,
  type NatsServerStatus
} from "../../src/platform/nats-server.ts"

/** A new empty folder under the system's temporary folder, removed by `remove`. */
export const temporaryFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), "swaptape-"))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export interface TestNats {
  readonly url: string
  readonly port: number
  readonly dataDirectory: string
  readonly status: () => NatsServerStatus
  /** stops the server and removes its folder, unless the folder was given */
  readonly stop: () => Promise<void>
}

/**
 * Launches a real nats-server through the supervisor, for tests written with promises.
 *
 * @param dataDirectory a folder to keep; else a temporary one
 */
export const startNats = async (
  dataDirectory?: string,
  options: NatsServerOptions = {}
): Promise<TestNats> => {
  const folder = dataDirectory === undefined ? temporaryFolder() : undefined
  const runtime = ManagedRuntime.make(
    NatsServer.layer(dataDirectory ?? folder?.path ?? "", options)
  )
  const stop = async () => {
    await runtime.dispose()
    folder?.remove()
  }
  try {
    const server = await runtime.runPromise(NatsServer)
    const lock = await runtime.runPromise(DataLock)
    return {
      url: server.url,
      port: server.port,
      dataDirectory: lock.dataDirectory,
      status: () => runtime.runSync(server.status),
      stop
    }
  } catch (error) {
    await stop()
    throw error
  }
}
