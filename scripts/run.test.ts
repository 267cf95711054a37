import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { expect, it } from "vitest"
import { isRunning } from "../src/platform/process-table.ts"

const here = import.meta.dirname
const node = process.execPath

it("says which Node it needs", () => {
  const pretend = `Object.defineProperty(process, "versions", { value: { node: "18.20.0" } })`
  const args = ["--import", `data:text/javascript,${pretend}`, join(here, "run.mjs"), "setup"]
  const { status, stderr } = spawnSync(node, args, { encoding: "utf8" })
  expect(status).toBe(1)
  expect(stderr).toContain("swaptape needs Node 20.19 or newer")
  expect(stderr).toContain("this is 18.20.0")
})

it("names its commands when it is given another", () => {
  const { status, stderr } = spawnSync(node, [join(here, "run.mjs"), "fly"], { encoding: "utf8" })
  expect(status).toBe(1)
  expect(stderr).toContain(
    'setup: no command "fly", use one of start,serve,replay,verify,log,keys,bench,mcp,probe,tables,client,router,solana:check,solana:node,test,test:sim,test:long'
  )
})

const run = (...args: ReadonlyArray<string>) => {
  const { status, stdout, stderr } = spawnSync(node, [join(here, "run.mjs"), ...args], {
    encoding: "utf8"
  })
  return { status, stderr, first: stdout.split("\n")[0] }
}

it.each([
  [
    "check",
    "Checks format, lint, types and tidiness; exits 1 where one fails, and changes nothing."
  ],
  [
    "setup",
    "Installs what is missing, as every other command does first: packages and a nats-server."
  ],
  ["test", "Runs the tests."],
  ["test:long", "Runs the tests."]
])("tells what %s does instead of doing it", (name, first) => {
  expect(run(name, "--help")).toEqual({ status: 0, stderr: "", first })
})

it.each(["check", "setup"])("refuses options of %s", name => {
  expect(run(name, "--fix")).toEqual({
    status: 1,
    stderr: `setup: ${name} takes no options: npm run ${name} -- --help tells more\n`,
    first: ""
  })
})

it("refuses in the name of the command that was given", () => {
  const { status, stderr } = run("new", "projection", "tape")
  expect([status, stderr]).toEqual([1, "new: projections/tape is there already\n"])
})

/** A launcher of a child that prints its pid and the signals it gets, and then ends as told. */
const launch = async (atSignal: string) => {
  const child = `
    for (const name of ["SIGINT", "SIGTERM"])
      process.on(name, () => { console.log(name); ${atSignal} })
    setInterval(() => {}, 1000)
    console.log(process.pid)
  `
  const launcher = `
    import { runToEnd } from "${join(here, "child.mjs")}"
    const args = ["-e", ${JSON.stringify(child)}]
    process.exitCode = await runToEnd(process.execPath, args, { stdio: "inherit" })
  `
  const stdio = ["ignore", "pipe", "inherit"] as const
  const running = spawn(node, ["--input-type=module", "-e", launcher], { stdio: [...stdio] })
  const lines: Array<string> = []
  const output = createInterface({ input: running.stdout as NodeJS.ReadableStream })
  output.on("line", line => lines.push(line))
  await once(output, "line")
  return { running, lines, childPid: Number(lines[0]) }
}

it.each(["SIGINT", "SIGTERM"] as const)("passes %s on and ends as its child does", async name => {
  const { running, lines, childPid } = await launch("setTimeout(() => process.exit(7), 50)")
  running.kill(name)
  expect(await once(running, "close")).toEqual([7, null])
  expect(lines.slice(1)).toEqual([name])
  expect(isRunning(childPid)).toBe(false)
})

it("ends with 128 + signal when a signal ended its child", async () => {
  const { running, childPid } = await launch("")
  process.kill(childPid, "SIGKILL")
  expect(await once(running, "close")).toEqual([137, null])
})
