import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  copy,
  type FileError,
  makeFolder,
  readText,
  remove,
  replaceFile,
  replaceFileBy,
  writeText
} from "./files.ts"
import { nextTurn } from "./turn.ts"

it("leaves a file as it was, and nothing beside it, where it cannot be replaced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"))
  const path = join(folder, "kept")
  writeFileSync(path, "old")
  const broken = async function* () {
    yield new Uint8Array(1 << 16)
    throw new Error("the disk is full")
  }
  const failed = await Effect.runPromise(Effect.flip(replaceFileBy(path, broken())))
  expect(failed.message).toBe(`write ${path}: the disk is full`)
  expect([readdirSync(folder), readFileSync(path, "utf8")]).toEqual([["kept"], "old"])
  const taken = join(folder, "taken")
  mkdirSync(taken)
  await Effect.runPromise(Effect.flip(replaceFile(taken, "new")))
  expect(readdirSync(folder)).toEqual(["kept", "taken"])
  rmSync(folder, { recursive: true })
})

/** Of a file without content, so that copying it takes long and its disk nothing. */
const SIZE_BYTES = 2 ** 32

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const isOpen = (path: string): boolean =>
  readdirSync("/proc/self/fd").some(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === path
    } catch {
      return false // closed meanwhile
    }
  })

const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.andThen(nextTurn, until(isSo))))

describe("a copy of a file", () => {
  let folder = ""
  let from = ""
  let to = ""
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "files-"))
    from = join(folder, "from")
    to = join(folder, "to")
    writeFileSync(from, "")
    truncateSync(from, SIZE_BYTES)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const begun = Effect.suspend(() =>
    Effect.tap(Effect.forkChild(copy(from, to)), () => until(() => sizeOf(to) > 0))
  )

  it("ends where the file has become shorter meanwhile", () =>
    Effect.gen(function* () {
      const copying = yield* begun
      truncateSync(from, 0)
      yield* Fiber.join(copying)
      expect(sizeOf(to)).toBeLessThan(SIZE_BYTES)
    }).pipe(Effect.runPromise))

  it("ends where it is interrupted", () =>
    Effect.gen(function* () {
      yield* Fiber.interrupt(yield* begun)
      yield* until(() => !isOpen(from) && !isOpen(to))
      expect(sizeOf(to)).toBeLessThan(SIZE_BYTES)
    }).pipe(Effect.runPromise))

  it("is what the file was", () =>
    Effect.gen(function* () {
      const content = Buffer.alloc(3_000_001, "swap")
      writeFileSync(from, content)
      yield* copy(from, to)
      expect(readFileSync(to).equals(content)).toBe(true)
    }).pipe(Effect.runPromise))
})

it("says which file stands where a folder belongs, whatever is done there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "files-"))
  const file = join(folder, "lanes")
  writeFileSync(file, "")
  const path = join(file, "beside", "base.duckdb.wal")
  const tries = [
    remove(path),
    writeText(path, ""),
    readText(path),
    makeFolder(join(file, "beside"))
  ]
  const errors = await Effect.runPromise(
    Effect.forEach(tries, one => Effect.flip(Effect.asVoid<unknown, FileError, never>(one)))
  )
  const doing = [`remove ${path}`, `write ${path}`, `read ${path}`, `create folder ${file}/beside`]
  expect(errors.map(({ message }) => message)).toEqual(
    doing.map(what => `${what}: ${file} is a file: move it away`)
  )
  rmSync(folder, { recursive: true })
})
