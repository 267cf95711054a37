/** Small side files: every line as parsed JSON, with its number. */
import { Effect, Result } from "effect"
import { openByteFile } from "../../../src/platform/byte-file.ts"
import { SourceError } from "../../source.ts"

/** A fatal error about a file. */
export const fileError = (path: string, message: string): SourceError =>
  new SourceError({ message: `${path}: ${message}`, fatal: true })

/** Calls `use` for each line of text that is not blank; a file that cannot be read is fatal. */
export const forEachLine = (
  path: string,
  use: (text: string, line: number) => SourceError | null
): Effect.Effect<void, SourceError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* openByteFile(path)
      const decoder = new TextDecoder()
      let rest = ""
      let line = 0
      const takeLines = (text: string): SourceError | null => {
        const lines = text.split("\n")
        rest = lines.pop() ?? ""
        for (const one of lines) {
          line++
          const problem = one.trim() === "" ? null : use(one, line)
          if (problem !== null) return problem
        }
        return null
      }
      for (let bytes = yield* file.next; bytes !== null; bytes = yield* file.next) {
        const problem = takeLines(rest + decoder.decode(bytes, { stream: true }))
        if (problem !== null) return yield* problem
      }
      const problem = takeLines(`${rest}${decoder.decode()}\n`)
      if (problem !== null) return yield* problem
    })
  ).pipe(Effect.catchTag("ByteFileError", error => Effect.fail(fileError(path, error.message))))

/** Calls `use` for each line as JSON; a line that is not JSON is fatal. */
export const forEachJsonLine = (
  path: string,
  use: (value: unknown, line: number) => SourceError | null
): Effect.Effect<void, SourceError> =>
  forEachLine(path, (text, line) => {
    const value = Result.try(() => JSON.parse(text) as unknown)
    return Result.isFailure(value)
      ? fileError(path, `line ${line} is not JSON`)
      : use(value.success, line)
  })
