/** The router's test pools, tokens and hostile contracts. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { encodeDeployData, encodeFunctionData } from "viem"
import { compiledOnce } from "./compiled-once.ts"

type Hex = `0x${string}`

const root = join(import.meta.dirname, "../..")
const pools = join(root, "engine/trade/contract/test-pools")
const TOKEN = join(root, "streams/sources/devchain/contracts/Token.sol")

const paths = [...readdirSync(pools).map(name => join(pools, name)), TOKEN]

const compile = () =>
  compiledOnce(
    Object.fromEntries(
      paths.map(path => [path.replace(/^.*\//, ""), { content: readFileSync(path, "utf8") }])
    )
  )

let contracts: ReturnType<typeof compile> | null = null

/** A contract of `engine/trade/contract/test-pools`, or a token of the devchain's. */
export const testContract = (name: string) => {
  contracts ??= compile()
  const { abi, bytecode } = contracts(name)
  return {
    code: (...args: ReadonlyArray<unknown>): Hex => encodeDeployData({ abi, bytecode, args }),
    call: (functionName: string, ...args: ReadonlyArray<unknown>): Hex =>
      encodeFunctionData({ abi, functionName, args })
  }
}
