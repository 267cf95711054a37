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

/** Cuts the chunks of one file into lines. */
export class LineCutter {
  private readonly use: UseBytes
  private buffer = Buffer.alloc(0)
  /** what of the buffer holds bytes, from the beginning of a line on */
  private end = 0
  private line = 0

  constructor(use: UseBytes) {
    this.use = use
  }

  /** Calls `use` for each line that a further chunk ends, and copies the rest of the chunk. */
  feed(bytes: Uint8Array): SourceError | null {
    if (this.end + bytes.length > this.buffer.length) {
      const larger = Buffer.alloc(Math.max(this.end + bytes.length, this.buffer.length * 2))
      this.buffer.copy(larger, 0, 0, this.end)
      this.buffer = larger
    }
    this.buffer.set(bytes, this.end)
    this.end += bytes.length
    let from = 0
    for (;;) {
      const to = this.buffer.indexOf(NEWLINE, from)
      if (to < 0 || to >= this.end) break
      const problem = this.use(this.buffer, from, to, ++this.line)
      if (problem !== null) return problem
      from = to + 1
    }
    this.buffer.copyWithin(0, from, this.end)
    this.end -= from
    return null
  }

  /** Calls `use` for what stands behind the last line break. */
  finish(): SourceError | null {
    return this.end === 0 ? null : this.use(this.buffer, 0, this.end, this.line + 1)
  }
}

/** Calls `use` for each line; a file that cannot be read is fatal. */
export const forEachByteLine = (path: string, use: UseBytes): Effect.Effect<void, SourceError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const file = yield* openByteFile(path)
      const lines = new LineCutter(use)
      for (let bytes = yield* file.next; bytes !== null; bytes = yield* file.next) {
        const problem = lines.feed(bytes)
        if (problem !== null) return yield* problem
      }
      const problem = lines.finish()
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
