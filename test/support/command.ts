/**
 * Commands that end by themselves, run within the test's own process: what their processes do
 * before they begin takes more of the processor than most of them. `engine.ts` runs them as
 * processes, where that is what a test is about.
 */
import { ConfigProvider, Effect, Exit } from "effect"
import { keysProgram } from "../../src/bin/keys-program.ts"
import { logProgram } from "../../src/bin/log-program.ts"
import { replayProgram } from "../../src/bin/replay-program.ts"
import { verifyProgram } from "../../src/bin/verify-program.ts"
import { reported } from "../../src/platform/environment.ts"
import { plainEnvironment } from "./engine.ts"

type Name = "keys" | "log" | "replay" | "verify"

const programs: { readonly [name in Name]: Effect.Effect<unknown, unknown> } = {
  keys: keysProgram,
  log: logProgram,
  replay: replayProgram,
  verify: verifyProgram
}

/** What was written, to standard output alone and to both together. */
interface Written {
  stdout: string
  output: string
}

type Write = typeof process.stdout.write

/** Keeps what a stream of this process is given, in place of writing it. */
const kept = (take: (text: string) => void): Write => {
  const write = (data: string | Uint8Array, ...rest: ReadonlyArray<unknown>): boolean => {
    take(typeof data === "string" ? data : Buffer.from(data).toString("utf8"))
    const done = rest.at(-1)
    if (typeof done === "function") queueMicrotask(() => done())
    return true
  }
  return write as Write
}

/** Gives this process what the command's would have, until the function that it returns is called. */
const instead = (name: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => {
  const written: Written = { stdout: "", output: "" }
  const { argv, env: own, exitCode, stdout, stderr } = process
  const writes = [stdout.write, stderr.write] as const
  Object.assign(process, { argv: [...argv.slice(0, 1), name, ...args], env, exitCode: 0 })
  stdout.write = kept(text => {
    written.stdout += text
    written.output += text
  })
  stderr.write = kept(text => {
    written.output += text
  })
  return () => {
    const code = Number(process.exitCode ?? 0)
    Object.assign(process, { argv, env: own, exitCode })
    ;[stdout.write, stderr.write] = writes
    return { code, ...written }
  }
}

const runNow = async (name: Name, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv) => {
  const settings = Object.entries(env).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const]
  )
  const provider = ConfigProvider.fromEnv({ env: Object.fromEntries(settings) })
  const end = instead(name, args, env)
  const exit = await Effect.runPromiseExit(
    Effect.provideService(reported(programs[name]), ConfigProvider.ConfigProvider, provider)
  )
  const { code, ...written } = end()
  return { code: Exit.isFailure(exit) ? 1 : code, ...written }
}

let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end, one at a time: arguments and output are the whole process's. */
export const runCommand = (
  name: Name,
  args: ReadonlyArray<string>,
  env: Record<string, string> = {}
) => {
  const next = last.then(() => runNow(name, args, { ...plainEnvironment(), ...env }))
  last = next.catch(() => undefined)
  return next
}
