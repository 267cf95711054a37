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

const sumOf = (name: string, type: string): string => {
  // memory adds in doubles, or in whole numbers that wrap
  const ordered = `sum(${name}::DOUBLE ORDER BY t)`
  if (type === "f64") return ordered
  return type === "i64"
    ? `least(${ordered}, ${MOST_MICRO})::BIGINT`
    : `(sum(${name}) % 4294967296)::UINTEGER`
}

/** The select of wider buckets from `parts`: a slot, `t`, and the columns of buckets. */
export const rolledUpSql = (slot: string, seconds: number, columns: ColumnDefs): string => {
  const bucket = `t // ${seconds}`
  const values = Object.entries(columns).map(([name, { type }]) => {
    const price = PRICES[name.replace(/^r/, "")]
    return `${price === undefined ? sumOf(name, type) : price(name)} AS ${name}`
  })
  return `SELECT ${slot}, (${bucket} * ${seconds})::UINTEGER AS t, ${values.join(", ")}
    FROM parts GROUP BY ${slot}, ${bucket}`
}
