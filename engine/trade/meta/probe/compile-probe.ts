/**
 * Compiles the probe (`SwapProbe.sol`). `probe.json` holds the code that a deployed one would have;
 * a test compiles again and compares. To renew the file:
 * `npx tsx engine/trade/meta/probe/compile-probe.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileSolidity } from "../../../../src/platform/solidity.ts"

const SOURCE = "SwapProbe.sol"

/** Gives equal results for equal sources, wherever it runs; it takes seconds. */
export const compileProbe = () => {
  const { compiler, contracts } = compileSolidity({
    language: "Solidity",
    sources: { [SOURCE]: { content: readFileSync(new URL(SOURCE, import.meta.url), "utf8") } },
    settings: {
      // runs on chains of every age
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 1 },
      metadata: { bytecodeHash: "none" },
      outputSelection: { [SOURCE]: { SwapProbe: ["evm.deployedBytecode.object"] } }
    }
  })
  const probe = contracts.get("SwapProbe")
  if (probe === undefined) throw new Error("the compiler gave no SwapProbe")
  return { compiler, code: `0x${probe.evm.deployedBytecode.object}` as const }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(
    new URL("probe.json", import.meta.url),
    `${JSON.stringify(compileProbe(), null, 2)}\n`
  )
}
