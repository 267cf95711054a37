/** Side files: every line with its number, as bytes, as text or as parsed JSON. */
import { Effect, Result } from "effect"
import { openByteFile } from "../../../src/platform/byte-file.ts"
import { SourceError } from "../../source.ts"

/** A fatal error about a file. */
export const fileError = (path: string, message: string): SourceError =>
  new SourceError({ message: `${path}: ${message}`, fatal: true })

/** A line lies in `bytes[from..to)`; `bytes` holds the next one after the call. */
type UseBytes = (bytes: Buffer, from: number, to: number, line: number) => SourceError | null

const NEWLINE = 0x0a

/** Calls `use` for each line; a file that cannot be read is fatal. */
export const forEachByteLine = (path: string, use: UseBytes): Effect.Effect<void, SourceError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* openByteFile(path)
      let buffer = Buffer.alloc(0)
      /** what of the buffer holds bytes, from the beginning of a line on */
      let end = 0
      let line = 0
      const takeLines = (): SourceError | null => {
        let from = 0
        for (;;) {
          const to = buffer.indexOf(NEWLINE, from)
          if (to < 0 || to >= end) break
          const problem = use(buffer, from, to, ++line)
          if (problem !== null) return problem
          from = to + 1
        }
        buffer.copyWithin(0, from, end)
        end -= from
        return null
      }
      for (let bytes = yield* file.next; bytes !== null; bytes = yield* file.next) {
        if (end + bytes.length > buffer.length) {
          const larger = Buffer.alloc(Math.max(end + bytes.length, buffer.length * 2))
          buffer.copy(larger, 0, 0, end)
          buffer = larger
        }
        buffer.set(bytes, end)
        end += bytes.length
        const problem = takeLines()
        if (problem !== null) return yield* problem
      }
      const problem = end === 0 ? null : use(buffer, 0, end, line + 1)
      if (problem !== null) return yield* problem
    })
  ).pipe(Effect.catchTag("ByteFileError", error => Effect.fail(fileError(path, error.message))))

const utf8 = new TextDecoder()

/** A line as text, without a byte order mark before it. */
export const lineText = (bytes: Buffer, from: number, to: number): string =>
  utf8.decode(bytes.subarray(from, to))

/** Calls `use` for each line of text that is not blank; a file that cannot be read is fatal. */
export const forEachLine = (
  path: string,
  use: (text: string, line: number) => SourceError | null
): Effect.Effect<void, SourceError> =>
  forEachByteLine(path, (bytes, from, to, line) => {
    const text = lineText(bytes, from, to)
    return text.trim() === "" ? null : use(text, line)
  })

/** The JSON in a line; a line that is not JSON is fatal. */
export const jsonLine = (
  path: string,
  text: string,
  line: number
): Result.Result<unknown, SourceError> =>
  Result.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => fileError(path, `line ${line} is not JSON`)
  })

/** Calls `use` for each line as JSON; a line that is not JSON is fatal. */
export const forEachJsonLine = (
  path: string,
  use: (value: unknown, line: number) => SourceError | null
): Effect.Effect<void, SourceError> =>
  forEachLine(path, (text, line) => {
    const value = jsonLine(path, text, line)
    return Result.isFailure(value) ? value.failure : use(value.success, line)
  })
