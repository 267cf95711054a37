/** `npm run solana:node` as its user runs it. */
import { afterEach, expect, it } from "vitest"
import { Command, eventually } from "../../test/support/engine.ts"

let command: Command | null = null
afterEach(() => command?.end("SIGKILL"))

it("answers where it says, makes blocks by itself, and ends with Ctrl-C", async () => {
  command = new Command("solana-node", ["--port", "0"])
  const { url = "" } = await eventually("its address", () => {
    const found = command?.output.match(/simulated Solana on (?<url>http:\S+), slot \d+/)
    return found?.groups ?? null
  })
  const slot = async () => {
    const call = { jsonrpc: "2.0", id: 1, method: "getSlot", params: [{ commitment: "confirmed" }] }
    const answer = await fetch(url, { method: "POST", body: JSON.stringify(call) })
    return ((await answer.json()) as { readonly result: number }).result
  }
  const first = await slot()
  await eventually("a later block", async () => (await slot()) > first)
  expect(await command.end("SIGINT")).toEqual({ code: 130, signal: null })
})

it("says what is wrong with its command line", async () => {
  command = new Command("solana-node", ["--port", "x"])
  expect((await command.exited).code).toBe(1)
  expect(command.output).toContain(
    "error: --port x is no port: npm run solana:node -- --help tells more"
  )
})
