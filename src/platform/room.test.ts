import { expect, it } from "vitest"
import { wantOfRoom } from "./room.ts"

it("tells want of room from damage, in the words of the system, of DuckDB and of nats-server", () => {
  const told = (text: string) => wantOfRoom(text, "/data")
  const full = "no room on disk in /data: free some"
  expect(told("ENOSPC: no space left on device, write")).toBe(full)
  expect(told('Could not write file "/data/base.duckdb": No space left on device')).toBe(full)
  expect(told("insufficient storage resources available")).toBe(full)
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
  expect(told("Out of Memory Error: could not allocate block of size 256.0 KiB")).toBe(
    "no memory is left for the tables in /data: leave more to this process"
  )
  for (const damage of [
    "IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2",
    'IO Error: The file "/data/base.duckdb" exists, but it is not a valid DuckDB database file!',
    "FATAL Error: Failed: database has been invalidated because of a previous fatal error."
  ]) {
    expect(told(damage)).toBeNull()
  }
})
