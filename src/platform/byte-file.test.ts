import { createHash } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { random } from "../../test/support/seed.ts"
import { openByteFile } from "./byte-file.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byte-file-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const digest = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** How a file of these bytes must be read. */
const read = (bytes: Uint8Array, failed: string | null = null) => ({
  length: bytes.length,
  digest: digest(bytes),
  failed
})

/** What can be read, and the error after it. */
const readAll = (path: string) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const parts: Array<Buffer> = []
        const failed = yield* Effect.gen(function* () {
          const file = yield* openByteFile(path)
          for (let bytes = yield* file.next; bytes !== null; bytes = yield* file.next) {
            parts.push(Buffer.from(bytes))
          }
          return null
        }).pipe(Effect.catch(error => Effect.succeed(error.message)))
        const all = Buffer.concat(parts)
        return { length: all.length, digest: digest(all), failed }
      })
    )
  )

const r = random("byte file")
const content = Buffer.from(
  Array.from({ length: 300_000 }, () => `${r.integer(0, 2 ** 31)}\n`).join("")
)

const file = (name: string, bytes: Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

it("reads plain and packed files, also of several parts", async () => {
  const packed = gzipSync(content)
  expect(await readAll(file("plain", content))).toEqual(read(content))
  expect(await readAll(file("empty", Buffer.alloc(0)))).toEqual(read(Buffer.alloc(0)))
  expect(await readAll(file("packed", packed))).toEqual(read(content))
  const twice = Buffer.concat([packed, gzipSync(Buffer.from("end"))])
  const whole = Buffer.concat([content, Buffer.from("end")])
  expect(await readAll(file("parts", twice))).toEqual(read(whole))
})

it("gives what a cut gzip holds, then refuses it", async () => {
  const packed = gzipSync(content)
  const half = await readAll(file("cut", packed.subarray(0, packed.length >> 1)))
  expect(half.failed).toBe("unexpected end of file")
  expect(half.length).toBeGreaterThan(content.length / 3)
  expect(half.digest).toBe(digest(content.subarray(0, half.length)))
  const tail = await readAll(file("no-trailer", packed.subarray(0, packed.length - 3)))
  expect(tail).toEqual(read(content, "unexpected end of file"))
})

it("says what is wrong with other files", async () => {
  const damaged = gzipSync(content)
  damaged[5000] = (damaged[5000] as number) ^ 0xff
  expect((await readAll(file("damaged", damaged))).failed).not.toBeNull()
  expect((await readAll(join(folder, "missing"))).failed).toMatch(/ENOENT/)
  expect((await readAll(folder)).failed).toMatch(/EISDIR/)
})
