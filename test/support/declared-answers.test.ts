import { Schema } from "effect"
import { expect, it } from "vitest"
import { emptyLists, undeclared } from "./declared-answers.ts"

const Row = Schema.Struct({ at: Schema.Int, tags: Schema.Array(Schema.String) })
const Answer = Schema.Struct({
  rows: Schema.Array(Row),
  page: Schema.NullOr(Schema.Struct({ sizes: Schema.Array(Schema.Int) })),
  warnings: Schema.optionalKey(Schema.Array(Schema.String))
})
const route = { path: "/v1/rows", parameters: {}, answers: [Answer] }
const list = { ...route, answers: [Schema.Array(Row)] }

it("finds the lists that no answer has a row in, however deep, but not within rows", () => {
  const bodies = ['{"rows":[],"page":null}', '{"rows":[{"at":1,"tags":[]}],"page":{"sizes":[]}}']
  expect(emptyLists(route, bodies)).toEqual(["page.sizes"])
  expect(emptyLists(route, bodies.slice(0, 1))).toEqual(["rows", "page.sizes"])
  expect(emptyLists(list, ["[]"])).toEqual(["the list"])
  expect(emptyLists(list, ["[]", '[{"at":1,"tags":[]}]'])).toEqual([])
})

it("tells where a body is not what its route declares", () => {
  expect(undeclared(route, '{"rows":[{"at":1,"tags":["a"]}],"page":null}')).toBeUndefined()
  expect(undeclared(route, '{"rows":[{"at":"1","tags":[]}],"page":null}')).toMatch(/\["at"\]/)
  expect(undeclared(route, '{"rows":[]}')).toMatch(/\["page"\]/)
  expect(undeclared(route, '{"rows":[],"page":null,"more":1}')).toMatch(/\["more"\]/)
})
