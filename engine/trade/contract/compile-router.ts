/**
 * Compiles the router contract and the probe of transfers (`solidity/*.sol`). `router.json` holds
 * their bytecode, so that nothing that runs needs the compiler; a test compiles again and compares.
 * To renew the file: `npx tsx engine/trade/contract/compile-router.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Abi, Hex } from "viem"
import { compileSolidity, type StandardInput } from "../../../src/platform/solidity.ts"
import { compileRuntimeCode } from "./compile-code.ts"

const SOURCES = [
  "ExpectedPool.sol",
  "PaidBack.sol",
  "PaidByAllowance.sol",
  "PaidFirst.sol",
  "Router.sol",
  "RouterTypes.sol",
  "TokenMoves.sol"
]

const sourceOf = (file: string): string =>
  readFileSync(new URL(`solidity/${file}`, import.meta.url), "utf8")

/** The router as the compiler takes it, and as a verifier of a deployed one does. */
export const routerInput = (): StandardInput => ({
  language: "Solidity",
  sources: Object.fromEntries(SOURCES.map(file => [file, { content: sourceOf(file) }])),
  settings: {
    // transient storage begins with Cancun, which every chain of the registry has
    evmVersion: "cancun",
    optimizer: { enabled: true, runs: 10_000 },
    metadata: { bytecodeHash: "none" },
    outputSelection: { "Router.sol": { Router: ["abi", "evm.bytecode.object", "metadata"] } }
  }
})

export interface CompiledRouter {
  readonly compiler: string
  readonly abi: Abi
  /** creation bytecode, without constructor arguments */
  readonly bytecode: Hex
  /** JSON */
  readonly metadata: string
}

/** Runtime code of the probe of transfers, which nodes put at holders on paper. */
export const compileProbe = (): Hex => {
  const files = ["TransferProbe.sol", "TokenMoves.sol", "RouterTypes.sol"] as const
  return compileRuntimeCode(new URL("solidity/", import.meta.url), files).code
}

/** Gives equal results for equal sources, wherever it runs; it takes seconds. */
export const compileRouter = (): CompiledRouter => {
  const { compiler, contracts } = compileSolidity(routerInput())
  const router = contracts.get("Router")
  if (router === undefined) throw new Error("the compiler gave no Router")
  const { abi, evm, metadata } = router
  return { compiler, abi, bytecode: `0x${evm.bytecode.object}`, metadata }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { compiler, bytecode } = compileRouter()
  const file = { compiler, bytecode, transferProbe: compileProbe() }
  writeFileSync(new URL("router.json", import.meta.url), `${JSON.stringify(file, null, 2)}\n`)
}
