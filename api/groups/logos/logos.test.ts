import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { solana } from "../../../src/domain/chains/solana.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"
import { drawLogo } from "./draw-logo.ts"

let api: TestApi
beforeAll(async () => {
  api = await startApi([new FakeLane(chainConfig(8453, "base", "Base")), new FakeLane(solana)])
})
afterAll(() => api.close())

const TOKEN = `0x${"aB".repeat(20)}`

describe("GET /v1/logo/{chain}/{address}", () => {
  it("draws a token's own picture, by key and id, in any letter case", async () => {
    const paths = [`base/${TOKEN}`, `8453/${TOKEN}`, `BASE/${TOKEN.toLowerCase()}`]
    const answers = await Promise.all(paths.map(path => fetch(`${api.url}/v1/logo/${path}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers[0]?.headers.get("content-type")).toBe("image/svg+xml")
    expect(answers[0]?.headers.get("cache-control")).toBe("public, max-age=86400")
    expect(answers[0]?.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox")
    expect(answers[0]?.headers.get("x-content-type-options")).toBe("nosniff")
    const bodies = new Set(await Promise.all(answers.map(answer => answer.text())))
    expect([...bodies]).toEqual([drawLogo(TOKEN)])
    expect(drawLogo(TOKEN)).toMatch(/^<svg .*<\/svg>$/)
  })

  it("tells addresses apart that differ in one digit", () => {
    const all = Array.from({ length: 256 }, (_, i) =>
      drawLogo(`0x${i.toString(16).padStart(40, "0")}`)
    )
    expect(new Set(all).size).toBe(256)
  })

  it("refuses chains that are not served and what is no address", async () => {
    const read = async (path: string) => {
      const response = await fetch(`${api.url}/v1/logo/${path}`)
      return [response.status, (await response.json()).error]
    }
    expect(await read(`arc/${TOKEN}`)).toEqual([400, "UNSUPPORTED_CHAIN"])
    expect(await read("base/0x12")).toEqual([400, "BAD_ADDRESS"])
    // of the length and letters of base58, and 33 bytes
    expect(await read(`solana/${"z".repeat(44)}`)).toEqual([400, "BAD_ADDRESS"])
    for (const path of [`solana/${TOKEN}`, `base/${solana.nativeToken}`]) {
      expect(await read(path)).toEqual([400, "BAD_ADDRESS"])
    }
    expect((await fetch(`${api.url}/v1/logo/solana/${solana.nativeToken}`)).status).toBe(200)
  })
})
