/**
 * The buckets of a stretch in one, as SQL: what `bucket.ts` makes of them, to the bit. It runs
 * beside the fold, where base rows leave the tables (`rollsUp` of a table). The oldest price is the
 * first, the newest the last, and what is no whole number is added in the order of time.
 */
import type { ColumnDefs } from "../../engine/store/table.ts"

/** What a bucket shows of a column, by the column's name; all others are sums. */
const PRICES: { readonly [column: string]: (name: string) => string } = {
  o: name => `arg_min(${name}, t)`,
  h: name => `max(${name})`,
  l: name => `min(${name})`,
  c: name => `arg_max(${name}, t)`
}

/** The largest sum that its column holds. */
const MOST_MICRO = "9e18"

/**
 * What is added in doubles, which is in the order of time: as a list of each bucket's rows, since
 * an ordered aggregate takes some 50 KB of memory for each bucket of more than a few rows.
 */
const inOrder = (names: ReadonlyArray<string>): string =>
  `list_sort(list({ t: t, ${names.map(name => `${name}: ${name}::DOUBLE`).join(", ")} }))`

const sumInOrder = (name: string): string =>
  `list_reduce(list_transform(ordered, row -> row.${name}), (sum, more) -> sum + more)`

/** What a wider bucket has of a column, and where it is made: of its parts, or of their list. */
const rolled = (name: string, type: string): { readonly part: string; readonly sum?: string } => {
  const price = PRICES[name.replace(/^r/, "")]
  if (price !== undefined) return { part: price(name) }
  // whole numbers wrap, in memory as here
  if (type === "u32") return { part: `(sum(${name}) % 4294967296)::UINTEGER` }
  const sum = sumInOrder(name)
  return { part: "NULL", sum: type === "f64" ? sum : `least(${sum}, ${MOST_MICRO})::BIGINT` }
}

/** The select of wider buckets from `parts`: a slot, `t`, and the columns of buckets. */
export const rolledUpSql = (slot: string, seconds: number, columns: ColumnDefs): string => {
  const made = Object.entries(columns).map(
    ([name, { type }]) => [name, rolled(name, type)] as const
  )
  const sums = made.filter(([, { sum }]) => sum !== undefined).map(([name]) => name)
  const parts = made.filter(([, { sum }]) => sum === undefined)
  const values = made.map(([name, { sum = name }]) => `${sum} AS ${name}`)
  return `SELECT ${slot}, t, ${values.join(", ")} FROM (
    SELECT ${slot}, (t // ${seconds} * ${seconds})::UINTEGER AS t, ${inOrder(sums)} AS ordered,
      ${parts.map(([name, { part }]) => `${part} AS ${name}`).join(", ")}
    FROM parts GROUP BY ${slot}, t // ${seconds})`
}
