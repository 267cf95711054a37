/** Tables that SQL names by hand, not through their values. */
import { allProjections } from "../../projections/all.ts"

const tables: ReadonlySet<string> = new Set(
  allProjections.flatMap(one => one.tables.map(({ name }) => name))
)

export const tablesNamedIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:FROM|JOIN)\s+\(?(\w+)|(?:versions|newestOf)\(\s*"(\w+)"/g)]
    .map(([, from, of]) => (from ?? of ?? "").replace(/_tail$/, ""))
    .filter(name => tables.has(name))
