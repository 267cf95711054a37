/**
 * How the memory that a lane is given is divided. What the folds know of tokens, pools and wallets
 * stays in memory whatever its size, so what may be read again instead is what is bounded: DuckDB's
 * buffers, and the newest rows of tables. Where all of it together is more than the lane is given,
 * the lane says so.
 */
import { PIECE_ROWS } from "../store/key-ranges.ts"

/** Megabytes that a lane is given by default: enough for 100,000 tokens and a million wallets. */
export const LANE_MEMORY_MB = 2048

/** The fewest megabytes that a lane may be given: DuckDB, which merges tables, gets 128 of them. */
export const MIN_LANE_MEMORY_MB = 512

const LEAST_TAIL_ROWS = 16_384
const MOST_TAIL_ROWS = 1_048_576

const LEAST_DATABASE_MB = 128

/** Of them some hold the blocks that are written to: one of each column, whatever is written. */
const WRITTEN_MB = 96

/** Rows of prints, the widest table that is sorted, take 450 bytes each meanwhile. */
const SORTED_ROWS_PER_MB = 1600

/** The most events that a lane commits at once, however much memory it is given. */
const FAR_EVENTS = 1_600_000
const EVENTS_PER_MB = 10_000

/** Megabytes of DuckDB's that what is sorted and what is committed meanwhile share. */
const workingMb = (laneMb: number): number => databaseMb(laneMb) - WRITTEN_MB

/** Returns the megabytes that DuckDB may take for its buffers. */
export const databaseMb = (laneMb: number): number =>
  Math.max(LEAST_DATABASE_MB, Math.floor((laneMb * 3) / 32))

/** Returns how many rows are sorted at once while tables are merged. */
export const sortedRows = (laneMb: number): number =>
  Math.min(PIECE_ROWS, workingMb(laneMb) * SORTED_ROWS_PER_MB)

/** Returns the events that a commit holds at most: until it is durable DuckDB keeps their rows. */
export const roomEvents = (laneMb: number): number =>
  Math.min(FAR_EVENTS, workingMb(laneMb) * EVENTS_PER_MB)

/**
 * Returns how many of a table's newest rows are kept in memory: as many as the table declares in a
 * lane of the default size, in others in proportion. A power of two.
 */
export const tailRows = (declared: number, laneMb: number): number => {
  const rows = 2 ** Math.floor(Math.log2((declared * laneMb) / LANE_MEMORY_MB))
  return Math.min(Math.max(rows, Math.min(declared, LEAST_TAIL_ROWS)), MOST_TAIL_ROWS)
}

/** A lane that was warned of is well again below this share: its heap grows and is collected. */
const WELL_SHARE = 0.9

/**
 * Returns what warns, look by look, where a lane's own bytes, beside DuckDB's, are more than it is
 * given.
 */
export const memoryWatch = (laneMb: number): ((bytes: number) => ReadonlyArray<string>) => {
  const database = databaseMb(laneMb)
  let isOver = false
  return bytes => {
    const own = Math.round(bytes / 1e6)
    isOver = own + database > (isOver ? laneMb * WELL_SHARE : laneMb)
    if (!isOver) return []
    return [
      `its tokens, pools and wallets take ${own} MB of memory beside ${database} MB for DuckDB, ` +
        `where LANE_MEMORY_MB gives ${laneMb}: raise it if the machine has more`
    ]
  }
}
