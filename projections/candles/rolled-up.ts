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

/** What a wider bucket has of a column whatever the order; null where it is added in order. */
const inAnyOrder = (name: string, type: string): string | null => {
  const price = PRICES[name.replace(/^r/, "")]
  if (price !== undefined) return price(name)
  // whole numbers wrap, in memory as here
  return type === "u32" ? `(sum(${name}) % 4294967296)::UINTEGER` : null
}

/** The sum of a column of the list `ordered`. */
const sumInOrder = (name: string, type: string): string => {
  const sum = `list_reduce(list_transform(ordered, row -> row.${name}), (sum, more) -> sum + more)`
  return type === "f64" ? sum : `least(${sum}, ${MOST_MICRO})::BIGINT`
}

/** The select of wider buckets from `parts`: a slot, `t`, and the columns of buckets. */
export const rolledUpSql = (slot: string, seconds: number, columns: ColumnDefs): string => {
  const added: Array<string> = []
  const parts: Array<string> = []
  const values: Array<string> = []
  for (const [name, { type }] of Object.entries(columns)) {
    const part = inAnyOrder(name, type)
    if (part === null) added.push(name)
    else parts.push(`${part} AS ${name}`)
    values.push(part === null ? `${sumInOrder(name, type)} AS ${name}` : name)
  }
  return `SELECT ${slot}, t, ${values.join(", ")} FROM (
    SELECT ${slot}, (t // ${seconds} * ${seconds})::UINTEGER AS t, ${inOrder(added)} AS ordered,
      ${parts.join(", ")}
    FROM parts GROUP BY ${slot}, t // ${seconds})`
}
