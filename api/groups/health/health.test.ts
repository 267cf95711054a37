import { expect, it } from "vitest"
import { startApi } from "../../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../../test/support/fake-lanes.ts"

it("GET /v1/health answers while the service does, whatever its chains do", async () => {
  const lane = new FakeLane(chainConfig(8453, "base"))
  lane.state = { ...lane.state, state: "failed", problem: "disk full" }
  const api = await startApi([lane])
  const response = await fetch(`${api.url}/v1/health`)
  expect(response.status).toBe(200)
  const version = response.headers.get("x-engine")
  expect(await response.json()).toEqual({ ok: true, version, uptimeSeconds: 0 })
  await api.close()
})
