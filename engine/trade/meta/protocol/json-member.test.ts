import { expect, it } from "vitest"
import { jsonMember } from "./json-member.ts"

const summary = '{ "n" : 340282366920938463463374607431768211455, "s":"}\\"]{", "a":[1,{"b":null}]}'

it("gives a member as it is written, by the names that lead to it", () => {
  const text = ` {"x":[{"routeSummary":1}],"data" : {"y":"{","routeSummary": ${summary} ,"z":-1.5e3}}`
  expect(jsonMember(text, ["data", "routeSummary"])).toBe(summary)
  expect(jsonMember(text, ["data", "z"])).toBe("-1.5e3")
  expect(jsonMember(text, ["data", "y"])).toBe('"{"')
  expect(jsonMember(text, ["routeSummary"])).toBe(null)
  expect(jsonMember(text, ["x", "routeSummary"])).toBe(null)
  expect(jsonMember("[]", ["x"])).toBe(null)
})

it("takes the last of several of a name, and reads names that are escaped, as parsers do", () => {
  expect(jsonMember('{"a":1,"\\u0061":[2],"b":3}', ["a"])).toBe("[2]")
  expect(jsonMember("{}", ["a"])).toBe(null)
})
