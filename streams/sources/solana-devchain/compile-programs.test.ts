import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { compilerVersion } from "../../../src/platform/bpf-compiler.ts"
import { type CompiledProgram, compilePrograms, digestOfSources } from "./compile-programs.ts"
import { linkProgram } from "./link-program.ts"
import file from "./programs.json" with { type: "json" }

const programs = Object.entries<CompiledProgram>(file.programs)
const compiler = compilerVersion()
if (compiler !== file.compiler)
  console.log(`programs are not compiled again: here is ${compiler ?? "no bpf-gcc"}`)

it("programs.json is of the sources as they are", () => {
  for (const [name, { sources, sha256, elf }] of programs) {
    const hash = createHash("sha256").update(Buffer.from(elf, "base64")).digest("hex")
    expect([sources, hash]).toEqual([digestOfSources(name), sha256])
  }
})

it.skipIf(compiler !== file.compiler)("programs.json is what the sources compile to", () => {
  expect(compilePrograms(file.compiler)).toEqual(file)
})

it("links no object that is something else", () => {
  expect(() => linkProgram(Buffer.alloc(64))).toThrow("the object has no entrypoint")
})
