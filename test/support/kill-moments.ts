/**
 * What a kill at any moment leaves of a folder: its files as they stood before each step that was
 * taken with them. A process that is killed has written all that it wrote, so a copy is the same.
 */
import streams, {
  closeSync,
  cpSync,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync
} from "node:fs"
import fs from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { basename, join } from "node:path"
import { vi } from "vitest"

export interface Moment {
  /** the step that was not taken any more, or only half */
  readonly before: string
  /** a copy of the folder */
  readonly path: string
}

/** Notes the moments of what is done with a folder's files in this process, until `end`. */
export const recordMoments = (folder: string, into: string) => {
  const moments: Array<Moment> = []
  const { rename, rm, writeFile } = fs
  const { createReadStream, createWriteStream } = streams
  /** what is copied */
  let copied = ""
  const keep = (before: string): void => {
    const path = join(into, String(moments.length))
    cpSync(folder, path, { recursive: true })
    moments.push({ before, path })
  }
  /** a step that writes a file is also cut off half way */
  const keepHalf = (before: string, to: string, content: Buffer): void => {
    keep(before)
    const file = openSync(to, "w")
    writeSync(file, content, 0, content.length >> 1)
    keep(`the rest of: ${before}`)
    ftruncateSync(file)
    closeSync(file)
  }
  const isOurs = (path: unknown): path is string => String(path).startsWith(folder)
  const nameOf = (path: unknown): string => String(path).slice(folder.length + 1)
  vi.spyOn(fs, "rename").mockImplementation((from, to) => {
    if (isOurs(to)) keep(`move ${nameOf(from)} to ${nameOf(to)}`)
    return rename(from, to)
  })
  vi.spyOn(fs, "rm").mockImplementation((path, options) => {
    if (isOurs(path) && existsSync(path)) keep(`remove ${nameOf(path)}`)
    return rm(path, options)
  })
  vi.spyOn(streams, "createReadStream").mockImplementation((from, options) => {
    if (isOurs(from)) copied = from
    return createReadStream(from, options)
  })
  vi.spyOn(streams, "createWriteStream").mockImplementation((to, options) => {
    if (isOurs(to)) keepHalf(`copy ${basename(copied)}`, to, readFileSync(copied))
    return createWriteStream(to, options)
  })
  vi.spyOn(fs, "writeFile").mockImplementation((path, content, options) => {
    if (isOurs(path)) keepHalf(`write ${nameOf(path)}`, path, Buffer.from(String(content)))
    return writeFile(path, content, options)
  })
  syncBuiltinESMExports()
  const end = (): ReadonlyArray<Moment> => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    return moments
  }
  return { moments, end }
}
