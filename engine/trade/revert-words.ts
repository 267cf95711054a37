/** What contracts revert with, in words. */
import { Result } from "effect"
import { decodeErrorResult } from "viem"
import { routerAbi } from "./contract/router-call.ts"
import { shownWords } from "./shown-words.ts"

type Hex = `0x${string}`

/** `Error(string)` and `Panic(uint256)`, as compilers revert, and the errors of ERC-6093. */
const STANDARD = [
  { type: "error", name: "Error", inputs: [{ name: "message", type: "string" }] },
  { type: "error", name: "Panic", inputs: [{ name: "code", type: "uint256" }] },
  {
    type: "error",
    name: "ERC20InsufficientBalance",
    inputs: [
      { name: "sender", type: "address" },
      { name: "balance", type: "uint256" },
      { name: "needed", type: "uint256" }
    ]
  },
  {
    type: "error",
    name: "ERC20InsufficientAllowance",
    inputs: [
      { name: "spender", type: "address" },
      { name: "allowance", type: "uint256" },
      { name: "needed", type: "uint256" }
    ]
  }
] as const

const ERRORS = [...routerAbi, ...STANDARD]

export interface NamedError {
  readonly name: string
  readonly args: ReadonlyArray<unknown>
}

/** The router's error, or a standard one; null of other data. */
export const decodedError = (data: Hex | undefined): NamedError | null => {
  if (data === undefined || data === "0x") return null
  const decoded = Result.try(() => decodeErrorResult({ abi: ERRORS, data }))
  if (Result.isFailure(decoded)) return null
  const { errorName, args } = decoded.success
  return { name: errorName, args: args ?? [] }
}

/** An error in words: those that a contract chose are a stranger's. */
export const inWords = ({ name, args }: NamedError): string =>
  shownWords(name === "Error" ? String(args[0]) : `${name}(${args.join(", ")})`)

/** Longest part of unknown data that is shown. */
const MOST_SHOWN = 74

/** Revert data in words. */
export const revertWords = (data: Hex): string => {
  const known = decodedError(data)
  if (known !== null) return inWords(known)
  return data === "0x"
    ? "it reverts without a reason"
    : `it reverts with ${data.slice(0, MOST_SHOWN)}`
}
