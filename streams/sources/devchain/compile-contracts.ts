/**
 * Compiles the devchain's own contracts (`contracts/*.sol`). `contracts.json` holds the result, so
 * that a start needs no compiler; a test compiles again and compares. To renew the file:
 * `npx tsx streams/sources/devchain/compile-contracts.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileSolidity } from "../../../src/platform/solidity.ts"

const SOURCES = ["Launcher.sol", "Lens.sol", "Token.sol"]
const DEPLOYED = ["BareToken", "Bytes32Token", "Launcher", "Lens", "Token"]

/** Creation bytecode (`0x` hex) by contract name, and the compiler that made it. */
export interface ContractsFile {
  readonly compiler: string
  readonly bytecode: { readonly [contract: string]: string }
}

/** Compiles every source. Throws with the compiler's own text where it reports an error. */
export const compileContracts = (): ContractsFile => {
  const sources = Object.fromEntries(
    SOURCES.map(file => [
      file,
      { content: readFileSync(new URL(`contracts/${file}`, import.meta.url), "utf8") }
    ])
  )
  const { compiler, contracts } = compileSolidity({
    language: "Solidity",
    sources,
    settings: {
      // Paris has no PUSH0: the bytecode runs under every hardfork Anvil can be asked for.
      evmVersion: "paris",
      optimizer: { enabled: true, runs: 10_000 },
      metadata: { bytecodeHash: "none" },
      outputSelection: { "*": { "*": ["evm.bytecode.object"] } }
    }
  })
  const codeOf = (name: string) => contracts.get(name)?.evm.bytecode.object ?? ""
  return {
    compiler,
    bytecode: Object.fromEntries(DEPLOYED.map(name => [name, `0x${codeOf(name)}`]))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(
    new URL("contracts.json", import.meta.url),
    `${JSON.stringify(compileContracts(), null, 2)}\n`
  )
}
