import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { compiledProgram } from "../../test/support/compiled.ts"
import { PATIENCE_MS } from "../../test/support/patience.ts"

it.skipIf(process.platform !== "linux")(
  "lowers threads that do not serve, those that follow least",
  test => {
    const program = [...compiledProgram("test/support/priorities-process.ts")]
    const options = { encoding: "utf8", timeout: PATIENCE_MS } as const
    const lowered = JSON.parse(execFileSync(process.execPath, program, options))
    if (lowered === null) test.skip("these tests run niced: what threads get then is not tried")
    expect(lowered.threads).toEqual([0, 5, 10])
    // whoever watches over the machine may change the whole process's meanwhile, by another step
    expect(lowered.main).not.toBe(10)
  }
)
