/** The files the style guide is about, and how a breach of it is told. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** A text file of the repository. */
export interface SourceText {
  /** relative to the repository root, with slashes */
  readonly path: string
  readonly text: string
}

/** A breach of the style guide. */
export interface Violation {
  readonly path: string
  /** from 1; 0 where the file as a whole is meant */
  readonly line: number
  readonly message: string
}

export const repositoryRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const binaryFile = /\.(png|jpg|ico|woff2?|gz|bin|duckdb)$/

/** Whether this is a git checkout; a copy without its history has no list of files. */
export const isCheckout = existsSync(join(repositoryRoot, ".git"))

/** A checkout may belong to another user, as in containers; listing its files is harmless. */
const listFiles = ["-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"]

const isFile = (path: string): boolean =>
  statSync(join(repositoryRoot, path), { throwIfNoEntry: false })?.isFile() === true

/** Every text file that git tracks or would add, as it is in the working tree. */
export const sourceTexts = (): ReadonlyArray<SourceText> =>
  execFileSync("git", listFiles, { cwd: repositoryRoot, encoding: "utf8" })
    .split("\0")
    .filter(path => path !== "" && !binaryFile.test(path))
    .filter(isFile)
    .map(path => ({ path, text: readFileSync(join(repositoryRoot, path), "utf8") }))

/** A violation as one line that editors and terminals turn into a link. */
export const describeViolation = ({ path, line, message }: Violation): string =>
  line === 0 ? `${path}: ${message}` : `${path}:${line}: ${message}`

/** The lines that match, with what is wrong about them. */
export const matchingLines = (
  { path, text }: SourceText,
  pattern: RegExp,
  message: (match: RegExpExecArray) => string
): Array<Violation> =>
  text.split("\n").flatMap((content, index) => {
    const match = pattern.exec(content)
    return match === null ? [] : [{ path, line: index + 1, message: message(match) }]
  })

export const isCode = (path: string): boolean => /\.(ts|mts|mjs|js)$/.test(path)

/** Tests and what only they use. */
export const isTest = (path: string): boolean =>
  /\.test\.ts$/.test(path) || path.startsWith("test/")

/** The checks themselves, whose samples and patterns spell out what they forbid. */
export const isTidy = (path: string): boolean => path.startsWith("test/tidy")

/** Third parties' files, kept as they came. */
export const isVendored = (path: string): boolean => path.includes("/vendor/")
