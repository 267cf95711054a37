/** Reads settings from the environment and runs every command's program. */
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Cause, Config, Effect, Option, Predicate, Runtime, Schema } from "effect"

/** Reads a text setting; null where it is absent or blank. */
export const optionalText = (name: string) =>
  Config.String(name).pipe(
    Config.option,
    Config.map(value => {
      const text = Option.getOrElse(value, () => "").trim()
      return text === "" ? null : text
    })
  )

/** Reads a text setting; `fallback` where it is absent or blank. */
export const textOr = (name: string, fallback: string) =>
  optionalText(name).pipe(Config.map(text => text ?? fallback))

/** Reads a comma-separated setting as trimmed, non-empty parts; null where absent or blank. */
export const optionalList = (name: string) =>
  optionalText(name).pipe(
    Config.map(text => {
      const parts = text?.split(",").map(part => part.trim())
      return parts?.filter(part => part !== "") ?? null
    })
  )

/** A setting is wrong; the message names the setting, its value and the wanted values. */
export class SettingError extends Schema.TaggedError<SettingError>()("SettingError", {
  message: Schema.String
}) {}

/** Reads a setting; `fallback` where it is absent. Fails where `parse` returns null. */
const parsed = <A>(
  name: string,
  { fallback, wanted }: { readonly fallback: A; readonly wanted: string },
  parse: (text: string) => A | null
) =>
  Effect.flatMap(optionalText(name), text => {
    if (text === null) return Effect.succeed(fallback)
    const value = parse(text)
    return value === null
      ? Effect.fail(new SettingError({ message: `${name}=${text}: it must be ${wanted}` }))
      : Effect.succeed(value)
  })

const wholeNumber = (text: string, from: number, to: number): number | null => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= from && value <= to ? value : null
}

/** Reads a whole number from `least`; `fallback` where absent. Fails for anything else. */
export const integerOr = (name: string, fallback: number, least = 0) =>
  parsed(name, { fallback, wanted: `a whole number from ${least}` }, text =>
    wholeNumber(text, least, Number.MAX_SAFE_INTEGER)
  )

/** Reads one of some words; `fallback` where absent, by default the first. Fails for others. */
export const oneOf = <const W extends readonly [string, ...ReadonlyArray<string>]>(
  name: string,
  words: W,
  fallback: W[number] = words[0]
) =>
  parsed<W[number]>(
    name,
    { fallback, wanted: words.join(" or ") },
    text => words.find(word => word === text) ?? null
  )

/** Reads a port, 0 for any free one. Fails above 65535, which sockets would take modulo 65536. */
export const portOr = (name: string, fallback: number) =>
  parsed(name, { fallback, wanted: "a port, a whole number from 0 to 65535" }, text =>
    wholeNumber(text, 0, 65_535)
  )

/** Reads a block number, as its text, or `latest`; null where the setting is absent. */
export const blockOrLatest = (name: string) =>
  parsed<string | null>(name, { fallback: null, wanted: "a block number, or latest" }, text =>
    text === "latest" || wholeNumber(text, 0, Number.MAX_SAFE_INTEGER) !== null ? text : null
  )

/** Returns the rest behind `prefix` of each non-blank setting's name that begins with `prefix`. */
export const settingsAfter = (prefix: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.sync(() =>
    Object.entries(process.env)
      .filter(([name, value]) => name.startsWith(prefix) && (value ?? "").trim() !== "")
      .map(([name]) => name.slice(prefix.length))
  )

/** Prints why a command failed: a failure's message, or a defect with its trace. */
const report = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error = Cause.squash(cause)
    const foreseen = !Cause.hasDies(cause) && Predicate.hasProperty(error, "message")
    process.stderr.write(`${foreseen ? `error: ${error.message}` : Cause.pretty(cause)}\n`)
  })

/** Exit code after an interruption: 128 + 2, which is SIGINT's, for SIGTERM too. */
const INTERRUPTED = 130

/** Whether the process runs until it is stopped. */
let isService = false

/** Makes the program a service from here on: SIGTERM is its regular end, with exit code 0. */
export const runUntilStopped = Effect.sync(() => {
  isService = true
})

/** Prints a failure to standard error, with which the program still fails. */
export const reported = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.tapCause(program, report)

/** Runs a command's program to its end. Signals interrupt the program; failures are printed. */
export const runMain = <A, E>(program: Effect.Effect<A, E>): void => {
  let isAskedToEnd = false
  process.once("SIGTERM", () => {
    isAskedToEnd = true
  })
  const teardown: Runtime.Teardown = (exit, onExit) =>
    Runtime.defaultTeardown(exit, code =>
      onExit(code === INTERRUPTED && isAskedToEnd && isService ? 0 : code)
    )
  NodeRuntime.runMain(reported(program), { disableErrorReporting: true, teardown })
}
