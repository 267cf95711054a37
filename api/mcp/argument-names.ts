/**
 * How tools call what their routes are given. Routes have an account as `address` where it stands
 * in their path, and by what it is elsewhere; a tool always says what it is.
 */
import type { Operation } from "./operations.ts"

/** What a tool may be about, the first of these that it takes; `address` means that. */
const SUBJECTS = ["token", "wallet", "pool"] as const

/** The name that a tool has for a parameter of its route. */
export const argumentOf = ({ path }: Operation, parameter: string): string => {
  if (parameter !== "address") return parameter
  return path.includes("/wallet/") ? "wallet" : "token"
}

type Words = Readonly<Record<string, string>>

/** The arguments by the route's names; the name of what was told twice, as `address` and by it. */
export const byParameter = (
  operation: Operation,
  words: Words
): { readonly words: Words } | { readonly twice: string } => {
  const parameters = new Map(
    operation.parameters.map(({ name }) => [argumentOf(operation, name), name])
  )
  const subject = SUBJECTS.find(each => parameters.has(each))
  const { address, ...others } = words
  const isMeant = address !== undefined && subject !== undefined
  if (isMeant && words[subject] !== undefined) return { twice: subject }
  const named = isMeant ? { ...others, [subject]: address } : words
  const entries = Object.entries(named).map(([name, word]) => [parameters.get(name) ?? name, word])
  return { words: Object.fromEntries(entries) }
}
