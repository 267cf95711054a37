/** Debian's compiler for eBPF (`apt install gcc-bpf`), which programs of Solana are made with. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const COMPILER = "bpf-gcc"

/** The compiler's own name and version; null where it is not installed. */
export const compilerVersion = (): string | null => {
  const { status, stdout } = spawnSync(COMPILER, ["--version"], { encoding: "utf8" })
  return status === 0 ? (stdout.split("\n")[0] ?? null) : null
}

/** Returns the object of a source; throws with the text of the compiler where it finds an error. */
export const compileObject = (source: string, options: ReadonlyArray<string>): Buffer => {
  const folder = mkdtempSync(join(tmpdir(), "object-"))
  const object = join(folder, "object.o")
  try {
    execFileSync(COMPILER, [...options, "-c", source, "-o", object])
    return readFileSync(object)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
