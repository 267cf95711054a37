/** Compiles contracts of which nodes run the code on paper, put at an address by an override. */
import { readFileSync } from "node:fs"
import type { Hex } from "viem"
import { compileSolidity } from "../../../src/platform/solidity.ts"

/**
 * The code that a deployed contract would have, of the first of the files, which has its name, and
 * those that it imports. Equal sources give equal results, wherever it runs; it takes seconds.
 */
export const compileRuntimeCode = (
  folder: URL,
  [first, ...imported]: readonly [string, ...ReadonlyArray<string>]
): { readonly compiler: string; readonly code: Hex } => {
  const name = first.slice(0, -".sol".length)
  const content = (file: string) => ({ content: readFileSync(new URL(file, folder), "utf8") })
  const { compiler, contracts } = compileSolidity({
    language: "Solidity",
    sources: Object.fromEntries([first, ...imported].map(file => [file, content(file)])),
    settings: {
      // runs on chains of every age
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 1 },
      metadata: { bytecodeHash: "none" },
      outputSelection: { [first]: { [name]: ["evm.deployedBytecode.object"] } }
    }
  })
  const compiled = contracts.get(name)
  if (compiled === undefined) throw new Error(`the compiler gave no ${name}`)
  return { compiler, code: `0x${compiled.evm.deployedBytecode.object}` }
}
