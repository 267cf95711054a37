import { expect, it } from "vitest"
import {
  databaseMb,
  LANE_MEMORY_MB,
  memoryWatch,
  roomEvents,
  sortedRows,
  tailRows
} from "./lane-memory.ts"

it("gives DuckDB three parts of 32, and no less than its merges need", () => {
  expect([512, LANE_MEMORY_MB, 8192].map(databaseMb)).toEqual([128, 192, 768])
})

it("writes and sorts at once what fits into DuckDB's memory", () => {
  const sizes = [512, 1500, LANE_MEMORY_MB, 8192]
  expect(sizes.map(roomEvents)).toEqual([320_000, 440_000, 960_000, 1_600_000])
  expect(sizes.map(sortedRows)).toEqual([51_200, 70_400, 153_600, 250_000])
})

it("keeps newest rows in proportion, in powers of two, within bounds", () => {
  const declared = 131_072
  const found = [512, 1024, 1500, 2048, 3000, 4096, 1_000_000].map(mb => tailRows(declared, mb))
  expect(found).toEqual([32_768, 65_536, 65_536, 131_072, 131_072, 262_144, 1_048_576])
  expect(tailRows(64, 512)).toBe(64)
  expect(tailRows(32_768, 512)).toBe(16_384)
})

it("warns of a lane that takes more than it is given, until it takes a tenth less", () => {
  const look = memoryWatch(2048)
  const warning = (own: number) => [
    `its tokens, pools and wallets take ${own} MB of memory beside 192 MB for DuckDB, ` +
      "where LANE_MEMORY_MB gives 2048: raise it if the machine has more"
  ]
  expect(look(1856e6)).toEqual([])
  expect(look(1857e6)).toEqual(warning(1857))
  expect(look(1652e6)).toEqual(warning(1652))
  expect(look(1651e6)).toEqual([])
  expect(look(1856e6)).toEqual([])
})
