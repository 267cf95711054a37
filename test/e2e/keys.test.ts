/** API keys as their users see them: made, used, replaced and revoked while an engine serves. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { runCommand } from "../support/command.ts"
import { type Engine, eventually, startEngine } from "../support/engine.ts"
import { syncLog } from "../support/fake-logs.ts"
import { get } from "../support/get.ts"
import { logLine, writeLines } from "../support/log-files.ts"
import { temporaryFolder } from "../support/nats.ts"

const folder = temporaryFolder()
const data = join(folder.path, "data")
const secrets: Array<string> = []
let engine: Engine

const keys = async (...args: ReadonlyArray<string>): Promise<string> => {
  const { code, stdout, output } = await runCommand("keys", args, { DATA_DIR: data })
  expect([code, output]).toEqual([0, expect.any(String)])
  const text = stdout.trimEnd()
  const [, , secret] = text.split("_")
  if (secret !== undefined) secrets.push(secret)
  return text
}

beforeAll(async () => {
  const log = logLine(10, 0, syncLog(`0x${"21".repeat(20)}`, 10n ** 21n, 10n ** 12n))
  const file = writeLines(folder.path, "base.jsonl", [log])
  const args = ["--chain", "base", "--data", data, "--no-report"]
  const { code, output } = await runCommand("replay", [...args, file])
  expect(code, output).toBe(0)
  const env = { PRIVATE_CHAINS: "base" }
  engine = await startEngine({ dataDir: data, env, command: ["serve", "--data", data] })
  await engine.ready()
})
afterAll(async () => {
  await engine.end("SIGKILL")
  folder.remove()
})

const CHAIN = "/v1/chains/base/status"
const ask = async (path: string, key: string) => {
  const { status, text, headers } = await get(engine.url + path, { "x-api-key": key })
  return { status, body: JSON.parse(text), limit: headers["x-ratelimit-limit"] }
}

/** Asks with a key until told to stop; gives back which statuses came, each once, in their order. */
const asking = (key: string) => {
  const seen: Array<number> = []
  let isStopped = false
  const done = (async () => {
    while (!isStopped) {
      const { status } = await ask(CHAIN, key)
      if (seen.at(-1) !== status) seen.push(status)
    }
  })()
  return {
    seen,
    stop: async () => {
      isStopped = true
      await done
      return seen
    }
  }
}

it("opens, is replaced and ends while requests run, without a restart", async () => {
  const refused = await get(engine.url + CHAIN)
  expect([refused.status, JSON.parse(refused.text).error]).toEqual([400, "UNSUPPORTED_CHAIN"])
  const first = await keys("create", "--name", "bot", "--limit", "default=100000000")
  await eventually("the key", async () => (await ask(CHAIN, first)).status === 200)
  const told = await ask("/v1/account/key", first)
  expect([told.limit, told.body.name, told.body.limits.default.limit]).toEqual([
    ...["100000000", "bot", 100_000_000]
  ])
  const old = asking(first)
  const [, id = ""] = first.split("_")
  const second = await keys("rotate", id, "--grace", "600")
  await eventually("the new secret", async () => (await ask(CHAIN, second)).status === 200)
  // with grace both open
  expect((await ask(CHAIN, first)).status).toBe(200)
  const next = asking(second)
  const third = await keys("rotate", id)
  await eventually("the third secret", async () => (await ask(CHAIN, third)).status === 200)
  await eventually("the end of the first", () => old.seen.at(-1) === 401)
  await eventually("the end of the second", () => next.seen.at(-1) === 401)
  expect([await old.stop(), await next.stop()]).toEqual([
    [200, 401],
    [200, 401]
  ])
  const last = asking(third)
  await eventually("a request", () => last.seen.length > 0)
  await keys("revoke", id)
  await eventually("the end of the third", () => last.seen.at(-1) === 401)
  expect(await last.stop()).toEqual([200, 401])
  expect((await ask(CHAIN, third)).body.message).toContain(`API key ${id} was revoked at `)
})

/** All bytes below a folder, as text. */
const allIn = (path: string): string =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .map(name => allIn(join(path, name)))
        .join("")
    : readFileSync(path, "latin1")

it("is in no log line, metric, status, file or list of processes", async () => {
  const shown = await keys("list")
  const metrics = (await get(`${engine.url}/metrics`)).text
  const status = (await get(`${engine.url}/v1/status`)).text
  const processes = readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "latin1")]
      } catch {
        return []
      }
    })
  const places = { shown, metrics, status, output: engine.output, files: allIn(data), processes }
  expect(secrets.length).toBe(3)
  for (const [place, text] of Object.entries(places)) {
    for (const secret of secrets)
      expect([place, String(text).includes(secret)]).toEqual([place, false])
  }
})
