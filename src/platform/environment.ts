/** Settings from the environment, and the way every command's program is run. */
import * as NodeRuntime from "@effect/platform-node-shared/NodeRuntime"
import { Config, type Effect, Option } from "effect"

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

/** Runs a command's program to its end; signals interrupt it, failures are printed. */
export const runMain = <A, E>(program: Effect.Effect<A, E>): void => {
  NodeRuntime.runMain(program)
}
