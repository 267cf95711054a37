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
  expect(await wallets()).toBe("CHAIN_DATA_UNAVAILABLE")
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

it("says why a board was not built, and why nobody knows whether it stands", async () => {
  const lane = new FakeLane(solana, () => refusal(503, "CHAIN_DATA_UNAVAILABLE", "no readers"))
  api = await startApi([lane])
  const read = async () => (await fetch(`${api.url}/v1/chains/solana/traders`)).json()
  const waiting =
    "the board of traders of 1 days is not built yet: that takes until the chain is read, and " +
    "seconds to minutes; this is not an empty board; it was not built when it was tried last: "
  await expect.poll(async () => (await read()).message).toBe(`${waiting}no readers`)
  await api.close()

  const other = new FakeLane(solana, ({ name }) => board(name, "first"))
  api = await startApi([other])
  expect((await read()).problem).toBe(null)
  other.respond = () => refusal(503, "CHAIN_DATA_UNAVAILABLE", "no readers")
  other.state = { ...other.state, rollbacks: other.state.rollbacks + 1 }
  const told = await read()
  const problem = "whether swaps of it were taken back could not be asked: no readers"
  expect([told.traders.length, told.problem]).toEqual([1, problem])
  other.respond = ({ name }) => ({ ...board(name, "second"), stands: true })
  const stands = await read()
  expect([stands.traders[0].wallet, stands.problem]).toEqual(["first", null])
})
