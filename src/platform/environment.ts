/** Settings from the environment, and the way every command's program is run. */
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Cause, Config, Effect, Option, Predicate, Schema } from "effect"

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

/** An integer setting with a default; fails with the setting's name where it is no integer. */
export const integerOr = (name: string, fallback: number) =>
  Config.Int(name).pipe(Config.withDefault(fallback))

/** One of some words, the first where it is absent; fails with the setting's name for any other. */
export const oneOf = <const W extends readonly [string, ...ReadonlyArray<string>]>(
  name: string,
  words: W
) => Config.Literals(words, name).pipe(Config.withDefault(words[0] as W[number]))

const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))

/** A port with a default, 0 for any free one; the sockets would take a larger one modulo 65536. */
export const portOr = (name: string, fallback: number) =>
  Config.schema(Port, name).pipe(Config.withDefault(fallback))

/** Says what ended a command: a failure in its own words, a defect with all there is to find it. */
const report = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error = Cause.squash(cause)
    const foreseen = !Cause.hasDies(cause) && Predicate.hasProperty(error, "message")
    process.stderr.write(`${foreseen ? `error: ${error.message}` : Cause.pretty(cause)}\n`)
  })

/** Runs a command's program to its end; signals interrupt it, failures are printed. */
export const runMain = <A, E>(program: Effect.Effect<A, E>): void => {
  NodeRuntime.runMain(program.pipe(Effect.tapCause(report)), { disableErrorReporting: true })
}
