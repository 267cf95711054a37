/** Settings from the environment, and the way every command's program is run. */
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Cause, Config, Effect, Option, Predicate, Runtime, Schema } from "effect"

/** A text setting; null where it is absent or blank. */
export const optionalText = (name: string) =>
  Config.String(name).pipe(
    Config.option,
    Config.map(value => {
      const text = Option.getOrElse(value, () => "").trim()
      return text === "" ? null : text
    })
  )

/** A text setting with a default. */
export const textOr = (name: string, fallback: string) =>
  optionalText(name).pipe(Config.map(text => text ?? fallback))

/** The parts of a comma-separated setting, without blanks; null where it is absent or blank. */
export const optionalList = (name: string) =>
  optionalText(name).pipe(
    Config.map(text => {
      const parts = text?.split(",").map(part => part.trim())
      return parts?.filter(part => part !== "") ?? null
    })
  )

/** A setting that cannot be right; the message names it, what it holds and what is wanted. */
export class SettingError extends Schema.TaggedError<SettingError>()("SettingError", {
  message: Schema.String
}) {}

/** Reads a setting that may be absent; fails in plain words where `parse` answers null. */
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

/** A whole number from `least` with a default; fails with the setting's name for anything else. */
export const integerOr = (name: string, fallback: number, least = 0) =>
  parsed(name, { fallback, wanted: `a whole number from ${least}` }, text =>
    wholeNumber(text, least, Number.MAX_SAFE_INTEGER)
  )

/** One of some words, the first where it is absent; fails with the setting's name for any other. */
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

/** A port with a default, 0 for any free one; the sockets would take a larger one modulo 65536. */
export const portOr = (name: string, fallback: number) =>
  parsed(name, { fallback, wanted: "a port, a whole number from 0 to 65535" }, text =>
    wholeNumber(text, 0, 65_535)
  )

/** A block number as it is written, or `latest`; null where the setting is absent. */
export const blockOrLatest = (name: string) =>
  parsed<string | null>(name, { fallback: null, wanted: "a block number, or latest" }, text =>
    text === "latest" || wholeNumber(text, 0, Number.MAX_SAFE_INTEGER) !== null ? text : null
  )

/** What follows the prefix in the names of the settings that are not blank. */
export const settingsAfter = (prefix: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.sync(() =>
    Object.entries(process.env)
      .filter(([name, value]) => name.startsWith(prefix) && (value ?? "").trim() !== "")
      .map(([name]) => name.slice(prefix.length))
  )

/** Says what ended a command: a failure in its own words, a defect with all there is to find it. */
const report = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error = Cause.squash(cause)
    const foreseen = !Cause.hasDies(cause) && Predicate.hasProperty(error, "message")
    process.stderr.write(`${foreseen ? `error: ${error.message}` : Cause.pretty(cause)}\n`)
  })

/** Exit code of a program that a signal interrupted: SIGINT's 128 + 2, whichever asked. */
const INTERRUPTED = 130

/**
 * Runs a command's program to its end; signals interrupt it, failures are printed. For a `service`
 * that runs until it is told to stop, SIGTERM is no interruption but its end: it exits with 0.
 */
export const runMain = <A, E>(
  program: Effect.Effect<A, E>,
  { service = false }: { readonly service?: boolean } = {}
): void => {
  let isAskedToEnd = false
  process.once("SIGTERM", () => {
    isAskedToEnd = true
  })
  const teardown: Runtime.Teardown = (exit, onExit) =>
    Runtime.defaultTeardown(exit, code =>
      onExit(code === INTERRUPTED && isAskedToEnd && service ? 0 : code)
    )
  const reported = program.pipe(Effect.tapCause(report))
  NodeRuntime.runMain(reported, { disableErrorReporting: true, teardown })
}
