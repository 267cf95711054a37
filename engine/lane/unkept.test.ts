import { expect, it } from "vitest"
import { unkeptWarning } from "./unkept.ts"

it("says in a person's words why upkeep failed, and that it is tried again", () => {
  const raw =
    'COMMIT: TransactionContext Error: Failed to commit: Could not write file "/data/lanes/base.duckdb": No space left on device'
  const file = "/data/lanes/base.duckdb"
  expect(unkeptWarning("unmerged", raw, file)).toBe(
    "tables stay unmerged, so answers slow down: no room on disk in /data/lanes: free some; it is tried again by itself"
  )
  expect(unkeptWarning("no snapshot", "read-only file system", file)).toBe(
    "there is no new snapshot of the tables, so broken ones would take long to mend: the disk of /data/lanes is read-only: make it writable again; it is tried again by itself"
  )
})
