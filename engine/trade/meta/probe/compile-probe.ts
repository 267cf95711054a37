/**
 * Compiles the probe (`SwapProbe.sol`). `probe.json` holds the code that a deployed one would have;
 * a test compiles again and compares. To renew the file:
 * `npx tsx engine/trade/meta/probe/compile-probe.ts`.
 */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileRuntimeCode } from "../../contract/compile-code.ts"

/** Gives equal results for equal sources, wherever it runs; it takes seconds. */
export const compileProbe = () =>
  compileRuntimeCode(new URL(".", import.meta.url), ["SwapProbe.sol"])

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(
    new URL("probe.json", import.meta.url),
    `${JSON.stringify(compileProbe(), null, 2)}\n`
  )
}
