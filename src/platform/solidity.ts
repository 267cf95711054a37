/** The Solidity compiler, from its npm package, with settings that never change by themselves. */
import { createRequire } from "node:module"
import type { Abi } from "viem"

/** Text by file name, as imports name the files. */
export type SoliditySources = { readonly [file: string]: { readonly content: string } }

/** The compiler's standard JSON: what a verifier of deployed contracts is given, too. */
export interface StandardInput {
  readonly language: "Solidity"
  readonly sources: SoliditySources
  readonly settings: {
    readonly evmVersion: "paris" | "cancun"
    readonly optimizer: { readonly enabled: boolean; readonly runs: number }
    /** nothing in the bytecode depends on comments or on where files lie */
    readonly metadata: { readonly bytecodeHash: "none" }
    readonly outputSelection: {
      readonly [file: string]: { readonly [contract: string]: ReadonlyArray<string> }
    }
  }
}

/** Of these only what the input's `outputSelection` names is there. */
interface CompiledContract {
  readonly abi: Abi
  /** bytecode of creation, and of the contract created, in hex without `0x` */
  readonly evm: {
    readonly bytecode: { readonly object: string }
    readonly deployedBytecode: { readonly object: string }
  }
  /** JSON: compiler, settings and hashes of sources */
  readonly metadata: string
}

interface Solc {
  version(): string
  compile(input: string): string
}

interface SolcOutput {
  readonly errors?: ReadonlyArray<{ severity: string; formattedMessage: string }>
  readonly contracts: {
    readonly [file: string]: { readonly [name: string]: CompiledContract }
  }
}

/**
 * Returns the contracts by name, and the compiler's version. Loading the compiler takes tenths of a
 * second. Throws with the compiler's own text where it reports an error.
 */
export const compileSolidity = (input: StandardInput) => {
  const solc = createRequire(import.meta.url)("solc") as Solc
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput
  const errors = (output.errors ?? []).filter(e => e.severity === "error")
  if (errors.length > 0) throw new Error(errors.map(e => e.formattedMessage).join("\n"))
  const contracts = new Map(Object.values(output.contracts).flatMap(file => Object.entries(file)))
  return { compiler: solc.version(), contracts }
}
