/**
 * Compiles the simulated chain's own programs (`programs/*.c`) with Debian's `gcc-bpf`.
 * `programs.json` holds the result, so that a start needs no compiler; a test compiles again where
 * the compiler is, and elsewhere sees that the sources are those that were compiled. To renew the
 * file: `npx tsx streams/sources/solana-devchain/compile-programs.ts`.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileObject, compilerVersion } from "../../../src/platform/bpf-compiler.ts"
import { linkProgram } from "./link-program.ts"

const PROGRAMS = ["cpmm", "curve", "amm"] as const

/** A program as it was compiled. */
export interface CompiledProgram {
  /** SHA-256 of its sources, and of what they were compiled to */
  readonly sources: string
  readonly sha256: string
  /** the shared object, in base64 */
  readonly elf: string
}

/** The programs by the names of their sources, and the compiler that made them. */
export interface ProgramsFile {
  readonly compiler: string
  readonly programs: { readonly [name: string]: CompiledProgram }
}

const OPTIONS = [
  ...["-O2", "-mcpu=v2", "-mframe-limit=4096", "-fno-builtin", "-ffreestanding"],
  // a loop that copies would become a call of a function that is not there
  "-fno-tree-loop-distribute-patterns",
  ...["-Wall", "-Wextra", "-Werror"]
]

const sourceOf = (file: string): string =>
  fileURLToPath(new URL(`programs/${file}`, import.meta.url))

/** SHA-256 of a program's source and of all headers. */
export const digestOfSources = (name: string): string => {
  const hash = createHash("sha256")
  const headers = readdirSync(sourceOf(".")).filter(file => file.endsWith(".h"))
  for (const file of [...headers.sort(), `${name}.c`]) hash.update(readFileSync(sourceOf(file)))
  return hash.digest("hex")
}

/** Compiles every program. Throws with the compiler's own text where it reports an error. */
export const compilePrograms = (compiler: string): ProgramsFile => {
  const compiled = PROGRAMS.map(name => {
    const elf = linkProgram(compileObject(sourceOf(`${name}.c`), OPTIONS))
    const sha256 = createHash("sha256").update(elf).digest("hex")
    return [name, { sources: digestOfSources(name), sha256, elf: elf.toString("base64") }] as const
  })
  return { compiler, programs: Object.fromEntries(compiled) }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const compiler = compilerVersion()
  if (compiler === null) throw new Error("bpf-gcc is not installed: apt install gcc-bpf")
  const file = new URL("programs.json", import.meta.url)
  writeFileSync(file, `${JSON.stringify(compilePrograms(compiler), null, 2)}\n`)
}
