/**
 * Reads ABI-encoded words of strangers. Their offsets may all point at one long part, which whoever
 * follows them reads thousands of times: so they are followed first, and counted.
 */
import { Result } from "effect"
import {
  type Abi,
  type AbiParameter,
  type ContractFunctionName,
  decodeFunctionData,
  decodeFunctionResult,
  toFunctionSelector
} from "viem"

type Hex = `0x${string}`

/** What is read may be so many times as long as the words: encoders may share parts. */
const MOST_TIMES = 4
const WORD = 32
const SELECTOR = 4

interface Sort {
  /** the elements of a list; null of others */
  readonly of: AbiParameter | null
  /** how many; null where the words tell */
  readonly count: number | null
}

const sortOf = (parameter: AbiParameter): Sort => {
  const [, of, count] = /^(.*)\[(\d*)\]$/.exec(parameter.type) ?? []
  if (of === undefined) return { of: null, count: null }
  return { of: { ...parameter, type: of }, count: count ? Number(count) : null }
}

const membersOf = (parameter: AbiParameter): ReadonlyArray<AbiParameter> =>
  "components" in parameter ? parameter.components : []

const isPlaced = (parameter: AbiParameter): boolean => {
  const { of, count } = sortOf(parameter)
  if (of !== null) return count === null || isPlaced(of)
  if (parameter.type === "tuple") return membersOf(parameter).some(isPlaced)
  return parameter.type === "bytes" || parameter.type === "string"
}

/** Bytes that a parameter takes in the head of what it is in. */
const headOf = (parameter: AbiParameter): number => {
  if (isPlaced(parameter)) return WORD
  const { of, count } = sortOf(parameter)
  if (of !== null) return headOf(of) * (count ?? 1)
  const members = membersOf(parameter)
  return parameter.type === "tuple" ? members.reduce((sum, one) => sum + headOf(one), 0) : WORD
}

/** Follows offsets as a reader does, and counts the bytes that it would read. */
class Walk {
  private readonly bytes: Buffer
  private left: number

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.left = bytes.length * MOST_TIMES
  }

  /** A length or an offset; infinite where it is none that leads anywhere. */
  private wordAt(at: number): number {
    if (at + WORD > this.bytes.length) return Number.POSITIVE_INFINITY
    const isSmall = this.bytes.subarray(at, at + WORD - 6).every(byte => byte === 0)
    return isSmall ? this.bytes.readUIntBE(at + WORD - 6, 6) : Number.POSITIVE_INFINITY
  }

  private takes(count: number): boolean {
    this.left -= count
    return this.left >= 0
  }

  /** Whether parameters whose heads stand one after the other from `base` on are not too much. */
  all(parameters: ReadonlyArray<AbiParameter>, base: number): boolean {
    let at = base
    for (const parameter of parameters) {
      const head = headOf(parameter)
      if (!this.takes(head)) return false
      if (isPlaced(parameter) && !this.placed(parameter, base + this.wordAt(at))) return false
      at += head
    }
    return true
  }

  private placed(parameter: AbiParameter, at: number): boolean {
    const { of, count } = sortOf(parameter)
    if (of === null && parameter.type === "tuple") return this.all(membersOf(parameter), at)
    if (of !== null && count !== null) return this.all(Array<AbiParameter>(count).fill(of), at)
    const length = this.wordAt(at)
    if (of === null) return this.takes(WORD + length)
    // before as many are listed as somebody claims
    if (length * headOf(of) > this.left || !this.takes(WORD)) return false
    return this.all(Array<AbiParameter>(length).fill(of), at + WORD)
  }
}

const isBounded = (parameters: ReadonlyArray<AbiParameter>, bytes: Buffer): boolean =>
  new Walk(bytes).all(parameters, 0)

const bytesOf = (data: Hex): Buffer => Buffer.from(data.slice(2), "hex")

const readOrNull = <A>(read: () => A): A | null => Result.getOrElse(Result.try(read), () => null)

/** The call in calldata; null where its function is none of the ABI's, or its words do not read. */
export const readCall = <const A extends Abi>(abi: A, data: Hex) => {
  const selector = data.slice(0, 2 + 2 * SELECTOR).toLowerCase()
  const called = abi.find(item => item.type === "function" && toFunctionSelector(item) === selector)
  if (called?.type !== "function") return null
  if (!isBounded(called.inputs, bytesOf(data).subarray(SELECTOR))) return null
  return readOrNull(() => decodeFunctionData({ abi, data }))
}

/** What a function of the ABI answered; null where the words do not read. */
export const readResult = <const A extends Abi, N extends ContractFunctionName<A>>(
  abi: A,
  functionName: N,
  data: Hex
) => {
  const called = abi.find(item => item.type === "function" && item.name === functionName)
  if (called?.type !== "function" || !isBounded(called.outputs, bytesOf(data))) return null
  return readOrNull(() => decodeFunctionResult<A, N>({ abi, functionName, data } as never))
}
