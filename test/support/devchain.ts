import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Scope } from "effect"
import {
  type Devchain,
  type DevchainOptions,
  startDevchain
} from "../../streams/sources/devchain/devchain.ts"

export interface TestDevchain {
  readonly devchain: Devchain
  readonly dataDir: string
  /** stops Anvil as a shutdown does, and keeps the data folder for another start */
  readonly stop: () => Promise<void>
  /** stops Anvil, and removes the data folder unless it was given */
  readonly remove: () => Promise<void>
}

/**
 * A devchain that mines only what a test asks for, with the same blocks for the same seed, on a
 * temporary data folder unless one is given. For tests written with promises.
 */
export const openDevchain = async (
  options: Partial<DevchainOptions> & Pick<DevchainOptions, "chain">
): Promise<TestDevchain> => {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "swaptape-devchain-"))
  const scope = Effect.runSync(Scope.make())
  const stop = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const remove = async () => {
    await stop()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  const devchain = await Effect.runPromise(
    startDevchain({ blocks: "manual", ...options, dataDir }).pipe(Scope.provide(scope))
  ).catch(async error => {
    await remove()
    throw error
  })
  return { devchain, dataDir, stop, remove }
}

/** Mines this many blocks of seeded trades. */
export const mineBlocks = (devchain: Devchain, count: number) =>
  Effect.runPromise(
    Effect.forEach(Array.from({ length: count }), () => devchain.step(), { concurrency: 1 })
  )
