/** Projections whose queries on rows are answered from rows alone. */
import type { Projection } from "../../engine/projection.ts"
import type { AnyQuery } from "../../engine/query.ts"

const onRows = (query: AnyQuery): AnyQuery => {
  if (query.on === "memory") return query
  const { recall: _, ...rest } = query
  return rest
}

export const withoutRecalls = (list: ReadonlyArray<Projection>): ReadonlyArray<Projection> =>
  list.map(item => ({ ...item, queries: item.queries.map(onRows) }))
