/** Contracts of tests, compiled once for each text of theirs on a machine: it takes seconds. */
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Abi } from "viem"
import {
  compileSolidity,
  type SoliditySources,
  type StandardInput
} from "../../src/platform/solidity.ts"

const FOLDER = join(import.meta.dirname, "../../.cache/solidity")

interface Contract {
  readonly abi: Abi
  readonly bytecode: `0x${string}`
}

const inputOf = (sources: SoliditySources): StandardInput => ({
  language: "Solidity",
  sources,
  settings: {
    evmVersion: "cancun",
    // compiles in half the time
    optimizer: { enabled: false, runs: 1 },
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } }
  }
})

/** Returns a contract by its name. Throws for a name that no source has. */
export const compiledOnce = (sources: SoliditySources): ((name: string) => Contract) => {
  const input = inputOf(sources)
  const hash = createHash("sha256").update(JSON.stringify(input)).digest("hex").slice(0, 16)
  const file = join(FOLDER, `${hash}.json`)
  if (!existsSync(file)) {
    const made = [...compileSolidity(input).contracts].map(
      ([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }] as const
    )
    mkdirSync(FOLDER, { recursive: true })
    const part = `${file}-${process.pid}`
    writeFileSync(part, JSON.stringify(Object.fromEntries(made)))
    renameSync(part, file)
  }
  const contracts: { readonly [name: string]: Contract } = JSON.parse(readFileSync(file, "utf8"))
  return name => {
    const found = contracts[name]
    if (found === undefined) throw new Error(`no contract ${name}`)
    return found
  }
}
