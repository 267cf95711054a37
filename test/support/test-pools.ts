/** The router's test pools, tokens and hostile contracts, compiled once for each of their texts. */
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { type Abi, encodeDeployData, encodeFunctionData } from "viem"
import { compileSolidity, type StandardInput } from "../../src/platform/solidity.ts"

type Hex = `0x${string}`

const root = join(import.meta.dirname, "../..")
const pools = join(root, "engine/trade/contract/test-pools")
const TOKEN = join(root, "streams/sources/devchain/contracts/Token.sol")

const paths = [...readdirSync(pools).map(name => join(pools, name)), TOKEN]

const input: StandardInput = {
  language: "Solidity",
  sources: Object.fromEntries(
    paths.map(path => [path.replace(/^.*\//, ""), { content: readFileSync(path, "utf8") }])
  ),
  settings: {
    evmVersion: "cancun",
    // compiles in half the time
    optimizer: { enabled: false, runs: 1 },
    metadata: { bytecodeHash: "none" },
    outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } }
  }
}

type Contracts = { readonly [name: string]: { readonly abi: Abi; readonly bytecode: Hex } }

const compiled = (): Contracts => {
  const text = JSON.stringify(input)
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16)
  const folder = join(root, ".cache/solidity")
  const file = join(folder, `${hash}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Contracts
  const { contracts } = compileSolidity(input)
  const found: Contracts = Object.fromEntries(
    [...contracts].map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.bytecode.object}` }
    ])
  )
  mkdirSync(folder, { recursive: true })
  const part = `${file}-${process.pid}`
  writeFileSync(part, JSON.stringify(found))
  renameSync(part, file)
  return found
}

let contracts: Contracts | null = null

/** A contract of `engine/trade/contract/test-pools`, or a token of the devchain's. */
export const testContract = (name: string) => {
  contracts ??= compiled()
  const found = contracts[name]
  if (found === undefined) throw new Error(`no contract ${name}`)
  const { abi, bytecode } = found
  return {
    code: (...args: ReadonlyArray<unknown>): Hex => encodeDeployData({ abi, bytecode, args }),
    call: (functionName: string, ...args: ReadonlyArray<unknown>): Hex =>
      encodeFunctionData({ abi, functionName, args })
  }
}
