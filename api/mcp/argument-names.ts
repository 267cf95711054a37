/**
 * How tools call what their routes are given. Routes have an account as `address` where it stands
 * in their path, and by what it is elsewhere; a tool always says what it is.
 */
import type { Operation } from "./operations.ts"

/** What a tool may be about. */
const SUBJECTS = ["token", "wallet", "pool"] as const

/** The name that a tool has for a parameter of its route. */
export const argumentOf = ({ path }: Operation, parameter: string): string => {
  if (parameter !== "address") return parameter
  return path.includes("/wallet/") ? "wallet" : "token"
}

type Words = Readonly<Record<string, string>>

/** What `address` may be of a tool: what it must be told, else each that it can be asked of. */
const meantBy = (operation: Operation): ReadonlyArray<string> => {
  const taken = SUBJECTS.flatMap(subject => {
    const { parameters } = operation
    const taking = parameters.find(({ name }) => argumentOf(operation, name) === subject)
    return taking === undefined ? [] : [{ subject, isNeeded: taking.required }]
  })
  const needed = taken.filter(({ isNeeded }) => isNeeded)
  return (needed.length > 0 ? needed : taken).map(({ subject }) => subject)
}

/** The arguments by the route's names, or what is wrong with their `address`. */
export const byParameter = (
  operation: Operation,
  words: Words
): { readonly words: Words } | { readonly unclear: string } => {
  const { address, ...others } = words
  const [subject, ...more] = address === undefined ? [] : meantBy(operation)
  if (subject !== undefined && more.length > 0) {
    const choices = [subject, ...more].join(" or ")
    return { unclear: `address may be more than one thing here: send it as ${choices}` }
  }
  if (subject !== undefined && words[subject] !== undefined) {
    return { unclear: `address is the ${subject} here: send ${subject} alone` }
  }
  const named = subject === undefined ? words : { ...others, [subject]: address as string }
  const parameters = new Map(
    operation.parameters.map(({ name }) => [argumentOf(operation, name), name])
  )
  const entries = Object.entries(named).map(([name, word]) => [parameters.get(name) ?? name, word])
  return { words: Object.fromEntries(entries) }
}

/** What a route refuses with, by the tool's names: the parameter that it is about comes first. */
export const byArgument = (operation: Operation, message: string): string => {
  const about = operation.parameters.find(({ name }) => message.startsWith(`${name} must be `))
  if (about === undefined) return message
  return argumentOf(operation, about.name) + message.slice(about.name.length)
}
