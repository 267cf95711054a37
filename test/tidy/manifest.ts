/** package.json, its lockfile and the README's account of them. */
import type { SourceText, Violation } from "./source-text.ts"

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

const exactVersion = /^(npm:(@[\w.-]+\/)?[\w.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/

const dependenciesOf = (manifest: SourceText): Array<[name: string, version: string]> => {
  const { dependencies, devDependencies } = JSON.parse(manifest.text) as Manifest
  return Object.entries({ ...dependencies, ...devDependencies })
}

/** Dependencies are pinned to one version, so that every checkout runs the same code. */
export const exactPins = (file: SourceText): Array<Violation> =>
  file.path !== "package.json"
    ? []
    : dependenciesOf(file)
        .filter(([, version]) => !exactVersion.test(version))
        .map(([name, version]) => ({
          path: file.path,
          line: 0,
          message: `${name} is "${version}": pin one exact version`
        }))

interface LockEntry {
  readonly integrity?: string
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
  readonly optionalDependencies?: { readonly [name: string]: string }
}

const entriesOf = ({ text }: SourceText) =>
  (JSON.parse(text) as { readonly packages: { readonly [path: string]: LockEntry } }).packages

/** Names of a package's binary for a system and a processor, which others do not need. */
const isBinary = (name: string): boolean =>
  /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|win32)-(amd64|arm|arm64|ia32|x64)/.test(name)

/**
 * The lockfile knows the binaries of every platform. Where a registry lacks one, npm leaves it out
 * of the lockfile that it writes, and newer npm refuses to install by that.
 */
export const completeLockfile = (file: SourceText): Array<Violation> => {
  if (file.path !== "package-lock.json") return []
  const entries = entriesOf(file)
  const wanted = Object.values(entries).flatMap(({ optionalDependencies = {} }) =>
    Object.keys(optionalDependencies).filter(isBinary)
  )
  return [...new Set(wanted)]
    .map(name => `node_modules/${name}`)
    .filter(name => entries[name] === undefined)
    .map(name => ({
      path: file.path,
      line: 0,
      message: `${name} is missing: npm leaves out what its registry lacks; keep the entry, or write one`
    }))
}

/**
 * An entry that no machine of the tests installs: optional, and for another system or processor, or
 * for another C library. A registry may lack it, and then nobody here can tell its checksum.
 */
const isForOthers = ({ optional, os, cpu, libc }: LockEntry): boolean =>
  optional === true &&
  ((os !== undefined && !os.includes("linux")) ||
    (cpu !== undefined && !cpu.includes("x64")) ||
    (libc !== undefined && !libc.includes("glibc")))

/**
 * The lockfile has the checksum of what is installed, and no address to fetch it from. Set-up
 * refuses what has none on the machines that would install it.
 */
export const lockfileChecksums = (file: SourceText): Array<Violation> => {
  if (file.path !== "package-lock.json") return []
  return Object.entries(entriesOf(file))
    .filter(([name, entry]) => name !== "" && !entry.integrity?.startsWith("sha512-"))
    .filter(([, entry]) => !isForOthers(entry))
    .map(([name]) => ({
      path: file.path,
      line: 0,
      message: `${name} has no checksum: \`npm install\` writes it down where its registry has it`
    }))
}

/** The rows of the README's dependency table, from the section of that name on. */
const dependencyRows = (readme: SourceText): ReadonlyArray<string> | undefined => {
  const lines = readme.text.split("\n")
  const start = lines.indexOf("## Dependencies")
  if (start < 0) return undefined
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "))
  return lines.slice(start, end < 0 ? undefined : end).filter(line => line.startsWith("|"))
}

/** Every dependency has its reason in the README's table; the check waits for that section. */
export const documentedDependencies = (files: ReadonlyArray<SourceText>): Array<Violation> => {
  const manifest = files.find(({ path }) => path === "package.json")
  const readme = files.find(({ path }) => path === "README.md")
  const rows = readme && dependencyRows(readme)
  if (manifest === undefined || rows === undefined) return []
  return dependenciesOf(manifest)
    .filter(([name]) => !rows.some(row => row.includes(`\`${name}\``)))
    .map(([name]) => ({
      path: "README.md",
      line: 0,
      message: `the table of dependencies lacks \`${name}\``
    }))
}
