/** Reads a bench's options and tells what it is doing. */
import { type ParseArgsConfig, parseArgs } from "node:util"
import { argumentProblem } from "../../src/platform/command-line.ts"

type Options = NonNullable<ParseArgsConfig["options"]>

/** The options among the words; throws a message for the user where one is wrong. */
export const optionsOf = <const O extends Options>(args: ReadonlyArray<string>, options: O) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values
  } catch (cause) {
    throw new Error(`${argumentProblem(cause)}: npm run bench -- NAME --help tells more`)
  }
}

/** A whole number from 1. */
export const countOf = (name: string, text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new Error(`--${name} must be a whole number from 1, not ${text}`)
  }
  return value
}

/** A number above 0. */
export const amountOf = (name: string, text: string | undefined, fallback: number): number => {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value <= 0) {
    throw new Error(`--${name} must be a number above 0, not ${text}`)
  }
  return value
}

/** Tells the person who waits. */
export const say = (text: string): void => {
  process.stderr.write(`${text}\n`)
}
