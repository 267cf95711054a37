/** What answers of both of Balancer's vaults and of their pools have in common. */
import { addressOfWord } from "../../src/domain/address.ts"
import type { StateAnswer, StateCall } from "../venue.ts"
import type { BalancerParameters } from "./balancer-parameters.ts"

/** The words of an array whose offset is the answer's word at `place`; null where it has none. */
export const listAt = (
  answer: StateAnswer | undefined,
  place: number,
  wordsOfOne = 1
): ReadonlyArray<bigint> | null => {
  const offset = answer?.[place]
  if (answer === null || answer === undefined || offset === undefined) return null
  if (offset % 32n !== 0n || offset > BigInt(answer.length) * 32n) return null
  const start = Number(offset / 32n)
  const length = answer[start]
  if (length === undefined || length > BigInt(answer.length)) return null
  const words = answer.slice(start + 1, start + 1 + Number(length) * wordsOfOne)
  return words.length === Number(length) * wordsOfOne ? words : null
}

/** Whether the answers list these tokens, in this order. */
export const areTokens = (
  words: ReadonlyArray<bigint> | null,
  tokens: ReadonlyArray<string>
): boolean =>
  words !== null &&
  words.length === tokens.length &&
  words.every((word, i) => addressOfWord(word) === tokens[i])

/** What a pool's contract answers of its curve, whichever of them it has. */
export const curveCalls = (contract: string): ReadonlyArray<StateCall> => [
  { to: contract, abi: "function getAmplificationParameter() view returns (uint256,bool,uint256)" },
  { to: contract, abi: "function getNormalizedWeights() view returns (uint256[])" }
]

/** The precision that `getAmplificationParameter` tells, of both vaults' pools. */
const AMP_PRECISION = 1000n

/** Amplification or weights of a curve; null where it was not told, or the amplification moves. */
export const curveOf = (
  name: "stable" | "weighted",
  [amplification, normalized]: ReadonlyArray<StateAnswer | undefined>,
  count: number
): Pick<BalancerParameters, "amp" | "ampEndTime" | "weights"> | null => {
  if (name === "stable") {
    const [amp, isMoving, precision] = amplification ?? []
    if (amp === undefined || isMoving !== 0n || precision !== AMP_PRECISION) return null
    return { amp, ampEndTime: 0n, weights: [] }
  }
  const weights = listAt(normalized, 0)
  return weights?.length === count ? { amp: null, ampEndTime: 0n, weights } : null
}

/** Asks every factory whether a pool is its own. */
export const factoryCalls = (
  factories: Iterable<string>,
  contract: string
): ReadonlyArray<StateCall> =>
  [...factories].map(to => ({
    to,
    abi: "function isPoolFromFactory(address) view returns (bool)",
    args: [BigInt(contract)]
  }))

/** The curve of the one factory that says yes; null where none or several do. */
export const curveMadeBy = <C>(
  curves: Iterable<C>,
  answers: ReadonlyArray<StateAnswer>
): C | null => {
  const made = [...curves].filter((_, i) => answers[i]?.[0] === 1n)
  return made.length === 1 ? (made[0] as C) : null
}
