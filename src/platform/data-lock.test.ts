import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Effect } from "effect"
import { afterEach, beforeEach, expect, it } from "vitest"
import { compiledProgram } from "../../test/support/compiled.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { lockDataFolder, lockFileName } from "./data-lock.ts"

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** Tries to lock the folder and gives it back at once. */
const attempt = (path: string) =>
  Effect.runPromise(Effect.scoped(lockDataFolder(path)).pipe(Effect.result))

/** Another process that tries to lock the folder, says how that went, and holds it until killed. */
const startContender = async (path: string) => {
  const args = [...compiledProgram("test/support/lock-process.ts"), path]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  const [outcome] = await once(createInterface({ input: child.stdout }), "line")
  const kill = async () => {
    if (child.exitCode !== null || !child.kill("SIGKILL")) return
    await once(child, "exit")
  }
  return { outcome: outcome as string, pid: child.pid, kill }
}

it("creates the folder, answers with its path and can be taken again when given back", async () => {
  const path = join(folder.path, "a", "b")
  expect(await attempt(path)).toMatchObject({ _tag: "Success", success: path })
  expect(await attempt(path)).toMatchObject({ _tag: "Success", success: path })
})

it("makes the folder for this user alone, and leaves one that is there as it is", async () => {
  const path = join(folder.path, "a", "b")
  await attempt(path)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  chmodSync(path, 0o750)
  await attempt(path)
  expect(statSync(path).mode & 0o777).toBe(0o750)
})

it("refuses a second lock of the same process, by its pid", async () => {
  const both = Effect.scoped(
    lockDataFolder(folder.path).pipe(Effect.andThen(Effect.result(lockDataFolder(folder.path))))
  )
  expect(await Effect.runPromise(both)).toMatchObject({
    _tag: "Failure",
    failure: { _tag: "DataFolderInUse", dataDirectory: folder.path, pid: process.pid }
  })
})

it("refuses while another process holds the lock and names its pid", async () => {
  const holder = await startContender(folder.path)
  expect(holder.outcome).toBe("locked")
  const refused = await attempt(folder.path)
  expect(refused).toMatchObject({
    _tag: "Failure",
    failure: { _tag: "DataFolderInUse", pid: holder.pid }
  })
  expect(refused._tag === "Failure" && refused.failure.message).toBe(
    `the data folder ${folder.path} is in use by process ${holder.pid}: ` +
      "stop that one, or set DATA_DIR to another folder"
  )
  await holder.kill()
  expect(await attempt(folder.path)).toMatchObject({ _tag: "Success" })
})

it("refuses while another process holds the lock whose file was deleted", async () => {
  const holder = await startContender(folder.path)
  rmSync(join(folder.path, lockFileName))
  expect(await attempt(folder.path)).toMatchObject({
    _tag: "Failure",
    failure: { _tag: "DataFolderInUse", pid: null }
  })
  await holder.kill()
  expect(await attempt(folder.path)).toMatchObject({ _tag: "Success" })
})

it("takes over the lock of a dead process, also when its pid is in use again", async () => {
  // A living process that never locked the folder, as after a reused pid.
  writeFileSync(join(folder.path, lockFileName), `${process.ppid}\n`)
  expect(await attempt(folder.path)).toMatchObject({ _tag: "Success" })
  expect(readFileSync(join(folder.path, lockFileName), "utf8")).toBe(`${process.pid}\n`)
})

it("lets exactly one of many processes take over a dead one's lock", async () => {
  const dead = await startContender(folder.path)
  await dead.kill()
  const contenders = await Promise.all(Array.from({ length: 4 }, () => startContender(folder.path)))
  const outcomes = contenders.map(({ outcome }) => outcome).sort()
  for (const { kill } of contenders) await kill()
  expect(outcomes).toEqual(["DataFolderInUse", "DataFolderInUse", "DataFolderInUse", "locked"])
})

it("says what is wrong with a folder that cannot be created", async () => {
  const file = join(folder.path, "file")
  writeFileSync(file, "")
  chmodSync(file, 0o400)
  expect(await attempt(join(file, "data"))).toMatchObject({
    _tag: "Failure",
    failure: { _tag: "DataFolderUnusable", dataDirectory: join(file, "data") }
  })
})
