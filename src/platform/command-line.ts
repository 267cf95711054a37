/** The words and options of a command, read by Node's own parser. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import { Effect, Schema } from "effect"

/** The command line makes no sense; the message says why, and where to read more. */
class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String
}) {}

/** What the parser says is wrong: its first sentence, the others are about Node. */
export const argumentProblem = (cause: unknown): string =>
  String(cause instanceof Error ? cause.message : cause).split(/\.(?:\s|$)|\n/)[0] ?? ""

/** Fails with the problem and the command's help: `command` as it is typed after `npm run`. */
export const wrongUsage = (command: string, problem: string) =>
  new UsageError({ message: `${problem}: npm run ${command} -- --help tells more` })

/** What the parser makes of the process's arguments; fails on an option that is not listed. */
export const readArguments = <const C extends ParseArgsConfig>(command: string, config: C) =>
  Effect.try({
    try: () => parseArgs(config),
    catch: cause => wrongUsage(command, argumentProblem(cause))
  })
