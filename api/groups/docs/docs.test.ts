import { readFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { declaredCodes, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { endpoints } from "../../endpoints.ts"

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description: string
    readonly example?: string | number
    readonly schema: { readonly [keyword: string]: unknown }
  }>
  readonly responses: { readonly [status: string]: { readonly headers: object } }
  readonly security: ReadonlyArray<object>
}

/** Routes with a limit whose lists are no rows of fields that readers would leave out. */
const WITHOUT_FIELDS = /^\/v1\/(candles\/proof|tokens\/chart\/\{address\}|tokens\/market)$/

let api: TestApi
let document: {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: {
    readonly schemas: object
    readonly headers: object
    readonly securitySchemes: { readonly ApiKey?: object }
  }
}
beforeAll(async () => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))])
  document = await (await fetch(`${api.url}/v1/openapi.json`)).json()
})
afterAll(() => api.close())

const operation = (path: string) => document.paths[path]?.["get"] as Operation

const allOperations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(operation => [path, operation] as const)
  )

describe("the OpenAPI document", () => {
  it("is 3.1 and lists every declared route", () => {
    expect(document.openapi).toBe("3.1.0")
    const declared = endpoints().map(({ path }) => path.replace(/:(\w+)/g, "{$1}"))
    expect(Object.keys(document.paths).sort()).toEqual(declared.sort())
  })

  it("has the routes that the README shows", () => {
    const readme = readFileSync(new URL("../../../README.md", import.meta.url), "utf8")
    const shown = [...readme.matchAll(/`(?:GET|POST) (\/v1\/[^`?]+)`/g)].map(
      ([, path]) => path ?? ""
    )
    expect(shown.length).toBeGreaterThan(10)
    const own = Object.keys(document.paths).concat("/v1/openapi.json")
    expect(shown.filter(path => !own.includes(path))).toEqual([])
  })

  it("has words for every route and parameter, and a distinct name for each route", () => {
    const names = allOperations().map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const [path, { summary, description, parameters }] of allOperations()) {
      expect(summary, path).toBeTruthy()
      expect(description, path).toBeTruthy()
      for (const { name, description } of parameters) {
        expect(description, `${path} ${name}`).toBeTruthy()
      }
    }
  })

  it("gives an example of all that must be given, of the chain that the others name", () => {
    for (const [route, { parameters = [] }] of allOperations()) {
      const given = Object.fromEntries(parameters.map(({ name, example }) => [name, example]))
      const needed = parameters.filter(({ required, schema }) => required && !("enum" in schema))
      expect([route, needed.filter(({ example }) => example === undefined)]).toEqual([route, []])
      const tokens = [given["address"], given["token"]].filter(one => one !== undefined)
      const isArc = tokens.includes("0x3600000000000000000000000000000000000000")
      if (given["chain"] !== undefined) expect([route, isArc]).toEqual([route, false])
    }
  })

  it("names the header of a key, which one route alone must have", () => {
    const { ApiKey } = document.components.securitySchemes
    expect(ApiKey).toMatchObject({ type: "apiKey", in: "header", name: "X-API-Key" })
    const needed = allOperations().filter(
      ([, { security }]) => !JSON.stringify(security).includes("{}")
    )
    expect(needed.map(([route]) => route)).toEqual(["/v1/account/key"])
    for (const [route, { security }] of allOperations()) {
      expect([route, security.at(-1)]).toEqual([route, { ApiKey: [] }])
    }
  })

  it("gives parameters their types, bounds and defaults", () => {
    const limit = operation("/v1/candles").parameters.find(({ name }) => name === "limit")
    expect(limit).toMatchObject({
      in: "query",
      required: false,
      schema: { type: "integer", minimum: 1, maximum: 5000, default: 300 }
    })
    const token = operation("/v1/candles").parameters.find(({ name }) => name === "token")
    expect(token).toMatchObject({ required: false, schema: { pattern: "^0x[a-fA-F0-9]{40}$" } })
  })

  it("lists every error of the data routes", () => {
    expect(declaredCodes("/v1/candles", 400)).toEqual(["INVALID_PARAMS", "UNSUPPORTED_CHAIN"])
    expect(declaredCodes("/v1/candles", 401)).toEqual(["INVALID_API_KEY"])
    expect(declaredCodes("/v1/account/key", 401)).toEqual(["API_KEY_REQUIRED", "INVALID_API_KEY"])
    expect(declaredCodes("/v1/candles", 404)).toEqual(["UNKNOWN_TOKEN", "NOT_FOUND"])
    expect(declaredCodes("/v1/candles", 429)).toEqual(["RATE_LIMIT_EXCEEDED"])
    expect(declaredCodes("/v1/candles", 503)).toEqual(["NOT_READY", "CHAIN_DATA_UNAVAILABLE"])
    expect(declaredCodes("/v1/chains/{chain}/token/{address}/trades", 400)).toEqual([
      "BAD_ADDRESS",
      "BAD_LIMIT",
      "BAD_BEFORE",
      "INVALID_PARAMS",
      "UNSUPPORTED_CHAIN"
    ])
    expect(operation("/v1/chains/{chain}/token/{address}/trades").responses).not.toHaveProperty(
      "404"
    )
    expect(declaredCodes("/v1/tokens/trades/{address}", 404)).toEqual(["UNKNOWN_TOKEN"])
  })

  it("refuses a bad limit by the family of its route, and lets readers choose fields", () => {
    for (const [path, { parameters }] of allOperations()) {
      const names = parameters.map(({ name }) => name)
      if (!names.includes("limit")) continue
      // /v1/arc, /v1/rh, /v1/chains/{chain} and Solana have codes of their own; who takes `chain=` has not
      const isBelow = /^\/v1\/(arc|rh|chains\/(\{chain\}|solana))\//.test(path)
      const hint = `${path}: below a chain, \`code: "BAD_LIMIT"\` of limit and failure(400, "BAD_LIMIT"); elsewhere neither`
      expect(declaredCodes(path, 400).includes("BAD_LIMIT"), hint).toBe(isBelow)
      const choosing = `${path}: \`...rowFields(list, Row)\` beside limit`
      expect(names.includes("fields") || WITHOUT_FIELDS.test(path), choosing).toBe(true)
    }
  })

  it("names the headers of every answer", () => {
    for (const [, { responses }] of allOperations()) {
      for (const { headers } of Object.values(responses)) {
        expect(Object.keys(headers)).toContain("X-Log-Seq")
      }
    }
    expect(Object.keys(document.components.headers)).toContain("X-RateLimit-Reset")
  })

  it("points only to what it contains", () => {
    const references = JSON.stringify(document).match(/"#\/[^"]+"/g) ?? []
    expect(references.length).toBeGreaterThan(0)
    for (const reference of new Set(references)) {
      const steps = reference.slice(3, -1).split("/")
      const target = steps.reduce<unknown>(
        (value, step) => (value as { [key: string]: unknown } | undefined)?.[step],
        document
      )
      expect(target, reference).toBeDefined()
    }
  })
})

describe("the docs page", () => {
  it("may run its own scripts alone, and offers nothing of others", async () => {
    const { headers } = await fetch(`${api.url}/docs`)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(/^default-src 'none'; script-src( 'sha256-[\w+/]{43}='){2}; /)
    expect(policy).toContain("; frame-ancestors 'none'")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    const page = await (await fetch(`${api.url}/docs`)).text()
    expect(page).toContain('"showDeveloperTools":"never","hideClientButton":true')
  })

  it("carries its scripts and asks no other host for any", async () => {
    const response = await fetch(`${api.url}/docs`)
    expect(response.headers.get("content-type")).toContain("text/html")
    const page = await response.text()
    expect(page).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/)
    expect(page).toContain("getCandles")
  })
})
