/** `npm run solana:node` as its user runs it. */
import { afterEach, expect, it } from "vitest"
import { Command, eventually } from "../../test/support/engine.ts"
import { temporaryFolder } from "../../test/support/nats.ts"

let command: Command | null = null
afterEach(() => command?.end("SIGKILL"))

const started = async (...options: ReadonlyArray<string>) => {
  const running = new Command("solana-node", ["--port", "0", ...options])
  command = running
  const { url = "" } = await eventually("its address", () => {
    const found = running.output.match(/simulated Solana on (?<url>http:\S+), slot \d+/)
    return found?.groups ?? null
  })
  const call = async (method: string, ...params: ReadonlyArray<unknown>) => {
    const body = { jsonrpc: "2.0", id: 1, method, params }
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) })
    return ((await answer.json()) as { readonly result: unknown }).result
  }
  const slot = async () => (await call("getSlot", CONFIRMED)) as number
  return { running, call, slot }
}

const CONFIRMED = { commitment: "confirmed", maxSupportedTransactionVersion: 0 }

it("answers where it says, makes blocks by itself, and ends with Ctrl-C", async () => {
  const { running, slot } = await started()
  const first = await slot()
  await eventually("a later block", async () => (await slot()) > first)
  expect(await running.end("SIGINT")).toEqual({ code: 130, signal: null })
})

it("goes on with the chain of --data after kill -9", async () => {
  const folder = temporaryFolder()
  const before = await started("--data", folder.path)
  const first = await before.slot()
  await eventually("more blocks", async () => (await before.slot()) > first + 4)
  const last = await before.slot()
  const told = await before.call("getBlock", last, CONFIRMED)
  await before.running.end("SIGKILL")
  const after = await started("--data", folder.path)
  expect(await after.call("getBlock", last, CONFIRMED)).toEqual(told)
  const slots = (await after.call("getBlocks", last, CONFIRMED)) as ReadonlyArray<number>
  await eventually("a later block", async () => (await after.slot()) > (slots.at(-1) ?? last))
  await after.running.end("SIGINT")
  folder.remove()
})

it("says what is wrong with its command line", async () => {
  command = new Command("solana-node", ["--port", "x"])
  expect((await command.exited).code).toBe(1)
  expect(command.output).toContain(
    "error: --port x is no port: npm run solana:node -- --help tells more"
  )
})
