/** `npm run mcp` as the official client starts it, before a server of this process. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { runProcess } from "../../test/support/engine.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"

let api: TestApi
beforeAll(async () => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))])
})
afterAll(() => api.close())

it("joins a client to an engine", async () => {
  const args = ["scripts/run.mjs", "mcp", "--url", api.url]
  const transport = new StdioClientTransport({ command: process.execPath, args })
  const client = new Client({ name: "test", version: "1.0.0" })
  await client.connect(transport)
  expect(client.getServerVersion()).toMatchObject({ name: "swaptape", version: "0.1.0" })
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain("swaptape_candles")
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => client.callTool({ name: "swaptape_chains", arguments: {} }))
  )
  for (const { structuredContent } of answers) {
    expect(structuredContent).toMatchObject({ chains: [{ id: 8453, key: "base" }] })
  }
  await client.close()
})

/** Gives a command lines and nothing more, and returns what it said to its end. */
const piped = async (url: string, text: string) => {
  const child = spawn(process.execPath, ["scripts/run.mjs", "mcp", "--url", url])
  let said = ""
  child.stdout.on("data", chunk => {
    said += chunk
  })
  child.stdin.end(text)
  const [code] = await once(child, "close")
  return {
    code,
    said: said
      .trim()
      .split("\n")
      .filter(line => line !== "")
      .toSorted()
  }
}

const line = (id: number | string) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "ping" })}\n`

it("answers every line before it ends, errors of the engine too", async () => {
  const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
  const wrong = '{"jsonrpc":"3.0","id":3}\n'
  expect(await piped(api.url, `${line(1)}\n${notification}{"half\n${wrong}${line("b")}`)).toEqual({
    code: 0,
    said: [
      expect.stringMatching(
        /^\{"jsonrpc":"2.0","id":3,"error":\{"code":-32000,"message":"INVALID_PARAMS: the body is no/
      ),
      '{"result":{},"jsonrpc":"2.0","id":"b"}',
      '{"result":{},"jsonrpc":"2.0","id":1}'
    ]
  })
})

it("says so where no engine answers", async () => {
  const stopped = await startApi([])
  await stopped.close()
  const message = `no engine answers at ${stopped.url}: start one (npm start) or pass --url`
  expect(await piped(`${stopped.url}/`, line(1))).toEqual({
    code: 0,
    said: [JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32000, message } })]
  })
})

it("tells what it does, and refuses what makes no sense", async () => {
  const { code, stdout } = await runProcess("mcp", ["--help"])
  expect([code, stdout.split("\n")[3]]).toEqual([0, "  node scripts/run.mjs mcp [--url URL]"])
  expect(await runProcess("mcp", ["--url", "here"])).toEqual({
    code: 1,
    stdout: "",
    output:
      "error: --url here: it must be like http://127.0.0.1:8080: npm run mcp -- --help tells more\n"
  })
})
