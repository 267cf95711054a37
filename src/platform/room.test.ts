import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { mountSmallDisk } from "../../test/support/small-disk.ts"
import { openDuckDb } from "./duckdb-local.ts"
import { wantOfRoom } from "./room.ts"

it("tells want of room from damage, in the words of the system, of DuckDB and of nats-server", () => {
  const told = (text: string) => wantOfRoom(text, "/data")
  const full = "no room on disk in /data: free some"
  expect(told("ENOSPC: no space left on device, write")).toBe(full)
  expect(told('Could not write file "/data/base.duckdb": No space left on device')).toBe(full)
  expect(told("insufficient storage resources available")).toBe(full)
  const spilled = "failed to offload data block of size 160.0 KiB (58.9 MiB/59.0 MiB used)."
  for (const text of [
    `Out of Memory Error: ${spilled}`,
    `TransactionContext Error: Failure while replaying WAL file "a.wal": Failed to commit: ${spilled}`
  ]) {
    expect(told(text)).toBe(full)
  }
  expect(told("EDQUOT: disk quota exceeded, write")).toBe(
    "the disk quota is used up in /data: free some, or raise it"
  )
  expect(told('Cannot open file "/data/a": Read-only file system')).toBe(
    "the disk of /data is read-only: make it writable again"
  )
  expect(told("EROFS: read-only file system, open")).toBe(
    "the disk of /data is read-only: make it writable again"
  )
  for (const text of ["EACCES: permission denied, open", "EPERM: operation not permitted, open"]) {
    expect(told(text)).toBe("/data may not be written to: give this user the right to")
  }
  for (const text of [
    "Out of Memory Error: could not allocate block of size 256.0 KiB",
    "TransactionContext Error: Failed to commit: failed to pin block of size 256.0 KiB (152.5 MiB/152.5 MiB used)"
  ]) {
    expect(told(text)).toBe(
      "no memory is left for the tables in /data: raise LANE_MEMORY_MB, or leave more to this process"
    )
  }
  for (const damage of [
    "IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2",
    'IO Error: The file "/data/base.duckdb" exists, but it is not a valid DuckDB database file!',
    "FATAL Error: Failed: database has been invalidated because of a previous fatal error."
  ]) {
    expect(told(damage)).toBeNull()
  }
})

const disk = mountSmallDisk(64)

it.skipIf(disk === null)(
  "writes what memory cannot hold again as soon as there is room",
  async () => {
    const path = disk?.path ?? ""
    const sorted = `SELECT count(*)::INT AS n, min(a) AS a FROM (SELECT md5(i::VARCHAR) AS a FROM
    range(250000) t(i) ORDER BY md5((i * 7)::VARCHAR) LIMIT 250000 OFFSET 1)`
    const opening = { threads: 1, memoryMb: 24 }
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { connect } = yield* openDuckDb(join(path, "base.duckdb"), opening)
          const { rows } = yield* connect
          disk?.fill()
          const { message } = yield* Effect.flip(rows(sorted))
          expect(wantOfRoom(message, path)).toBe(`no room on disk in ${path}: free some`)
          disk?.free()
          expect(yield* rows(sorted)).toEqual([
            { n: 249_999, a: "00003e3b9e5336685200ae85d21b4f5e" }
          ])
        })
      )
    )
    disk?.remove()
  }
)
