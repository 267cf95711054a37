import { SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { expect, it } from "vitest"
import { Api } from "./api.ts"
import { expectedField, fieldPaths } from "./body-fields.ts"

/** Messages of JSON-RPC, which the MCP server reads and refuses by itself. */
const OWN_WORDS = ["/v1/mcp"]

it("tells of every field of every body what it must be, with an example", () => {
  const silent: Array<string> = []
  const told: Array<string> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { path, payload } }) => {
      for (const { schemas } of payload.values()) {
        const [body] = schemas
        if (body === undefined || OWN_WORDS.includes(path)) continue
        if (SchemaAST.resolveDescription(body.ast) === undefined) silent.push(path)
        for (const field of fieldPaths(body)) {
          const name = `${path} ${field.join(".")}`
          if (expectedField(body, field) === undefined) silent.push(name)
          told.push(name)
        }
      }
    }
  })
  expect(silent).toEqual([])
  expect([told.length, new Set(told.map(name => name.split(" ")[0]))]).toEqual([
    26,
    new Set(["/v1/swap", "/v1/swap/simulate", "/v1/meta/swap", "/v1/devchain/wallet"])
  ])
})
