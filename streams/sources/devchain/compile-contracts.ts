/**
 * Compiles the devchain's own contracts (`contracts/*.sol`). `contracts.json` holds the result, so
 * that a start needs no compiler; a test compiles again and compares. To renew the file:
 * `npx tsx streams/sources/devchain/compile-contracts.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"

const SOURCES = ["Launcher.sol", "Lens.sol", "Token.sol"]
const DEPLOYED = ["BareToken", "Bytes32Token", "Launcher", "Lens", "Token"]

/** Creation bytecode (`0x` hex) by contract name, and the compiler that made it. */
export interface ContractsFile {
  readonly compiler: string
  readonly bytecode: { readonly [contract: string]: string }
}

interface SolcOutput {
  readonly errors?: ReadonlyArray<{ severity: string; formattedMessage: string }>
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: { readonly evm: { readonly bytecode: { readonly object: string } } }
    }
  }
}

interface Solc {
  version(): string
  compile(input: string): string
}

/** Compiles every source. Throws with the compiler's own text where it reports an error. */
export const compileContracts = (): ContractsFile => {
  const solc = createRequire(import.meta.url)("solc") as Solc
  const sources = Object.fromEntries(
    SOURCES.map(file => [
      file,
      { content: readFileSync(new URL(`contracts/${file}`, import.meta.url), "utf8") }
    ])
  )
  const settings = {
    // Paris has no PUSH0: the bytecode runs under every hardfork Anvil can be asked for.
    evmVersion: "paris",
    optimizer: { enabled: true, runs: 10_000 },
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["evm.bytecode.object"] } }
  }
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: "Solidity", sources, settings }))
  ) as SolcOutput
  const errors = (output.errors ?? []).filter(e => e.severity === "error")
  if (errors.length > 0) throw new Error(errors.map(e => e.formattedMessage).join("\n"))
  const found = new Map(
    Object.values(output.contracts).flatMap(file =>
      Object.entries(file).map(([name, c]) => [name, `0x${c.evm.bytecode.object}`] as const)
    )
  )
  return {
    compiler: solc.version(),
    bytecode: Object.fromEntries(DEPLOYED.map(name => [name, found.get(name) ?? ""]))
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(
    new URL("contracts.json", import.meta.url),
    `${JSON.stringify(compileContracts(), null, 2)}\n`
  )
}
