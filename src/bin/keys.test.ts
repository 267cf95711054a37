/** `npm run keys` on a folder without an engine, and beside one that follows. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { Effect, Exit, Layer, Result, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { KeyBook } from "../../engine/keys/key-book.ts"
import { followKeys } from "../../engine/keys/key-log.ts"
import { runCommand } from "../../test/support/command.ts"
import { eventually } from "../../test/support/engine.ts"
import { type LogServer, startLogServer } from "../../test/support/log-server.ts"
import { temporaryFolder } from "../../test/support/nats.ts"
import { JetStream } from "../platform/jetstream.ts"

const folder = temporaryFolder()
const keys = (...args: ReadonlyArray<string>) => runCommand("keys", args, { DATA_DIR: folder.path })

/** The text of a key, the only line of standard output. */
const textIn = (stdout: string): string => {
  expect(stdout).toMatch(/^st_[0-9a-f]{12}_[0-9a-f]{64}\n$/)
  return stdout.trimEnd()
}

let first = ""
beforeAll(async () => {
  // no server runs: the command starts one and stops it
  const made = await keys("create", "--name", "first bot", "--limit", "default=61")
  first = textIn(made.stdout)
  expect(made.code).toBe(0)
})
afterAll(() => folder.remove())

/** All bytes below a folder, as text. */
const allIn = (path: string): string =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .map(name => allIn(join(path, name)))
        .join("")
    : readFileSync(path, "latin1")

it("shows a key once, and keeps nothing that opens it", async () => {
  const [, id = "", secret = ""] = first.split("_")
  const kept = allIn(folder.path)
  expect([kept.includes(id), kept.includes(secret)]).toEqual([true, false])
  const { stdout, code } = await keys("list")
  expect(code).toBe(0)
  expect(stdout).toMatch(
    new RegExp(
      `^${id}  basic     \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d  valid  first bot  default=61 data=3000 ` +
        "logos=30000 bridge=2400 health=3000 metrics=600 preflight=6000 upgrades=1200\n$"
    )
  )
})

/** The server, and a node that follows the keys. */
const follow = async (): Promise<{
  server: LogServer
  book: KeyBook
  stop: () => Promise<void>
}> => {
  const server = await startLogServer(folder.path)
  const scope = Scope.makeUnsafe()
  const following = Effect.gen(function* () {
    const jetStream = yield* Layer.build(JetStream.layer({ url: server.nats.url }))
    return yield* Effect.provide(followKeys(folder.path), jetStream)
  })
  const { book } = await Effect.runPromise(Effect.provideService(following, Scope.Scope, scope))
  const stop = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await server.stop()
  }
  return { server, book, stop }
}

it("is followed by whoever serves, without a restart", async () => {
  const { book, stop } = await follow()
  const opens = (text: string) => Result.isSuccess(book.check(text, Date.now()))
  expect(opens(first)).toBe(true)
  const second = textIn((await keys("create", "--name", "two", "--plan", "pro")).stdout)
  await eventually("the second key", () => opens(second))
  const [, id = ""] = second.split("_")
  const third = textIn((await keys("rotate", id)).stdout)
  await eventually("the new secret", () => opens(third))
  expect([opens(second), third.split("_")[1]]).toEqual([false, id])
  const fourth = textIn((await keys("rotate", id, "--grace", "600")).stdout)
  await eventually("the next secret", () => opens(fourth))
  expect(opens(third)).toBe(true)
  expect((await keys("revoke", id)).output).toBe(`key ${id} is revoked\n`)
  await eventually("the end", () => !opens(fourth))
  expect([opens(third), opens(first)]).toEqual([false, true])
  expect(book.keys.map(({ name, plan }) => [name, plan])).toEqual([
    ["first bot", "basic"],
    ["two", "pro"]
  ])
  const again = await keys("revoke", id)
  expect([again.code, again.output]).toEqual([1, `keys: key ${id} is revoked already\n`])
  await stop()
})

it("says what is wrong with its arguments", async () => {
  const more = "npm run keys -- --help tells more"
  const wrong: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
    [`a command is needed: ${more}`],
    [`no command "make": ${more}`, "make"],
    [`"x" is one word too many: ${more}`, "list", "x"],
    [`--name NAME is needed, of 1 to 64 characters: ${more}`, "create"],
    [`there is no plan gold, only basic, pro: ${more}`, "create", "--name", "a", "--plan", "gold"],
    [
      "--limit all=3 must be like default=600, of default, data, logos, bridge, health, metrics, " +
        `preflight, upgrades: ${more}`,
      ...["create", "--name", "a", "--limit", "all=3"]
    ],
    [`rotate ID is needed: list shows them: ${more}`, "rotate"],
    ["there is no key ffffffffffff: list shows them", "revoke", "ffffffffffff"]
  ]
  const isLong = process.env["SWAPTAPE_LONG"] === "1"
  for (const [problem, ...args] of isLong ? wrong : wrong.slice(3, 6)) {
    const { code, stdout, output } = await keys(...args)
    expect({ code, stdout, output }).toEqual({ code: 1, stdout: "", output: `keys: ${problem}\n` })
  }
})
