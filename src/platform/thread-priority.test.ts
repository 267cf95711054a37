import { execFileSync } from "node:child_process"
import { getPriority } from "node:os"
import { expect, it } from "vitest"
import { compiledProgram } from "../../test/support/compiled.ts"

it.skipIf(process.platform !== "linux")("lowers threads that do not serve, and no other", () => {
  const program = [...compiledProgram("test/support/priorities-process.ts")]
  const printed = execFileSync(process.execPath, program, { encoding: "utf8" })
  const own = getPriority()
  expect(JSON.parse(printed)).toEqual([own, own, 10])
})
