/** The simulated Solana of `npm start`: its lane goes on behind a kill, and its tables are its log. */
import { afterAll, afterEach, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, startEngine } from "../support/engine.ts"
import { temporaryFolder } from "../support/nats.ts"

const folder = temporaryFolder()
const env = { DEVCHAIN_SOLANA: "on" }
let engine: Engine

afterEach(() => engine.end("SIGKILL"))
afterAll(() => folder.remove())

const start = async () => {
  engine = await startEngine({ dataDir: folder.path, env })
  await engine.ready()
}

/** Waits until so many more swaps of Solana are in the tables; returns its lane. */
const moreSwaps = async (count: number) => {
  const from = (await engine.lane("solana")).swaps
  return engine.alive(`${count} swaps of Solana`, async () => {
    const lane = await engine.lane("solana")
    return lane.state === "live" && lane.swaps >= from + count ? lane : null
  })
}

it("reads every swap once and whole, behind a kill and to the byte", async () => {
  await start()
  const before = await moreSwaps(30)
  const status = (await engine.get("/chains/solana/status")).body
  expect(status).toMatchObject({ ok: true, simulated: true, public: true, gate: { pass: false } })
  const venues = Object.values(status.decode) as ReadonlyArray<Record<string, number>>
  const sum = (name: string) => venues.reduce((total, one) => total + (one[name] ?? 0), 0)
  expect(sum("swaps")).toBeGreaterThanOrEqual(30)
  expect([sum("ok"), sum("bad"), sum("unchecked")]).toEqual([sum("swaps"), 0, 0])
  await engine.end("SIGKILL")
  await start()
  const after = await moreSwaps(10)
  expect(after.swaps).toBeGreaterThan(before.swaps)
  expect(after.gaps).toEqual([])
  expect((await engine.get("/chains/solana/status")).body.totals.swaps).toBeGreaterThan(0)
  const board = (await engine.get("/chains/solana/tokens?limit=3")).body
  const [{ address }] = board.tokens
  const page = (await engine.get(`/chains/solana/token/${address}/trades?limit=500`)).body
  const places = page.trades.map(
    (one: { tx: string; logIndex: number }) => `${one.tx}:${one.logIndex}`
  )
  expect(new Set(places).size).toBe(places.length)
  expect(await engine.stop()).toEqual({ code: 130, signal: null })
  const verified = await runCommand("verify", ["--data", folder.path])
  expect(verified.code, verified.output).toBe(0)
})
