import { expect, it } from "vitest"
import { operationsOf } from "./operations.ts"
import { comment, declaration, typeOf } from "./schema-types.ts"

it("writes each form of a schema as its type", () => {
  const forms = [
    { type: "integer" },
    { enum: ["a", 1, null] },
    { anyOf: [{ type: "string" }, { type: "null" }, { type: "string" }] },
    { type: "array", items: { $ref: "#/components/schemas/Trade" } },
    { type: "object", additionalProperties: { type: "number" } },
    { type: "object", additionalProperties: false },
    { type: "object" },
    { allOf: [{ type: "string" }] },
    {}
  ]
  expect(forms.map(form => typeOf(form))).toEqual([
    "number",
    '"a" | 1 | null',
    "string | null",
    "ReadonlyArray<Trade>",
    "{\n  readonly [name: string]: number\n}",
    "Record<string, never>",
    "{\n  readonly [name: string]: unknown\n}",
    "string",
    "unknown"
  ])
})

it("keeps names that are no words, optional fields and what is said of them", () => {
  const properties = {
    "a-b": { type: "string", description: "not a word" },
    c: { type: "boolean" }
  }
  const schema = { type: "object", properties, required: ["c"], description: "both" }
  expect(declaration("Both", schema)).toBe(
    [
      "/** both */",
      "export type Both = {",
      "  /** not a word */",
      '  readonly "a-b"?: string',
      "  readonly c: boolean",
      "}\n"
    ].join("\n")
  )
})

it("wraps what is long, and lets no text end its comment", () => {
  const lines = comment(["word ".repeat(40).trim(), "and */ more"], "  ").split("\n")
  expect(lines.every(line => line.length <= 100)).toBe(true)
  expect([lines[0], lines.at(-3), lines.at(-2)]).toEqual([
    ...["  /**", "   * and *\u200b/ more", "   */"]
  ])
})

it("makes no function of a stream", () => {
  const operation = (type: string) => ({
    ...{ operationId: "group.one", summary: "", description: "", parameters: [] },
    responses: { "200": { content: { [type]: { schema: {} } } } }
  })
  const paths = {
    "/stream": { get: operation("text/event-stream") },
    "/text": { get: operation("text/plain") }
  }
  const found = operationsOf({ info: { version: "" }, paths, components: { schemas: {} } })
  expect(found.map(({ path, answer }) => [path, answer])).toEqual([["/text", null]])
})
