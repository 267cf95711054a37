/** Reads a command's words and options by Node's own parser. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import { Effect, Schema } from "effect"

/** The command line is wrong; the message names the problem and the command's help. */
class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String
}) {}

/** Returns the first sentence of a parser's error; the further sentences are about Node. */
export const argumentProblem = (cause: unknown): string =>
  String(cause instanceof Error ? cause.message : cause).split(/\.(?:\s|$)|\n/)[0] ?? ""

/** Returns an error with the problem and the help of `command`, as typed after `npm run`. */
export const wrongUsage = (command: string, problem: string) =>
  new UsageError({ message: `${problem}: npm run ${command} -- --help tells more` })

/** Parses the process's arguments; fails on an option that `config` does not list. */
export const readArguments = <const C extends ParseArgsConfig>(command: string, config: C) =>
  Effect.try({
    try: () => parseArgs(config),
    catch: cause => wrongUsage(command, argumentProblem(cause))
  })
