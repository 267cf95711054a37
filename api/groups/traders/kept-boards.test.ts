/** Boards that the server builds beside requests: when the first is there, and when the next. */
import { afterEach, expect, it } from "vitest"
import { solana } from "../../../src/domain/chains/solana.ts"
import { startApi, type TestApi } from "../../../test/support/api-server.ts"
import { FakeLane, refusal } from "../../../test/support/fake-lanes.ts"

let api: TestApi
afterEach(() => api.close())

const board = (name: string, wallet: string) => ({
  ...{ chain: "solana", windowDays: 7, newestSwap: 1, from: 0, updatedAt: 1_789_999_000 },
  ...(name === "boardStands" ? { stands: false } : {}),
  traders: [{ wallet, score: 1, realizedPnlUsd: 1, volumeUsd: 1 }]
})

it("has a board once its lane is read, and another once its swaps were taken back", async () => {
  const lane = new FakeLane(solana, ({ name }) => board(name, "first"))
  const fresh = lane.state
  lane.state = { ...fresh, state: "starting" }
  api = await startApi([lane])
  const wallets = async () => {
    const response = await fetch(`${api.url}/v1/chains/solana/smart-traders`)
    const { error, traders } = await response.json()
    return error ?? traders.map(({ wallet }: { readonly wallet: string }) => wallet)
  }
  expect(await wallets()).toBe("NOT_READY")
  lane.state = fresh
  await expect.poll(wallets).toEqual(["first"])
  lane.respond = () => refusal(503, "CHAIN_DATA_UNAVAILABLE", "gone")
  lane.state = { ...fresh, state: "stalled" }
  // what was built last stands while its lane is in trouble
  expect(await wallets()).toEqual(["first"])
  lane.respond = ({ name }) => board(name, "second")
  lane.state = { ...fresh, rollbacks: fresh.rollbacks + 1 }
  await expect.poll(wallets).toEqual(["second"])
})
