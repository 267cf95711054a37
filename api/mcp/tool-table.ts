/** The tools, of what each GET operation declares to be: under what name, and of which chains. */
import { type Endpoint, endpoints } from "../endpoints.ts"
import { onceAsked } from "../once-asked.ts"

/** Every tool's name begins so. */
export const TOOL_PREFIX = "swaptape_"

/** Operations by the place in the path that names the chain. */
export interface Family {
  readonly arc?: string
  readonly rh?: string
  /** where Solana answers another form than chains of `keyed` */
  readonly solana?: string
  /** of `/v1/chains/{chain}` */
  readonly keyed?: string
}

/** Ids in the OpenAPI document: one operation, or a family of which `chain` chooses. */
export type Operations = string | Family

const placeOf = (path: string): keyof Family => {
  const [, place] = /^\/v1\/(arc|rh|chains\/solana|chains\/:chain)\//.exec(path) ?? []
  if (place === undefined) throw new Error(`${path}: only a family of chains shares a tool`)
  if (place === "arc" || place === "rh") return place
  return place === "chains/solana" ? "solana" : "keyed"
}

const operationsOf = (of: ReadonlyArray<Endpoint>): Operations => {
  const [first, ...others] = of
  if (others.length === 0) return first?.id ?? ""
  return Object.fromEntries(of.map(({ path, id }) => [placeOf(path), id]))
}

/** By tool, less the prefix, in the order of the declarations. */
export const toolTable = onceAsked((): ReadonlyMap<string, Operations> => {
  const names = endpoints().flatMap(({ tool }) => (typeof tool === "string" ? [tool] : []))
  return new Map(
    names.map(name => [name, operationsOf(endpoints().filter(({ tool }) => tool === name))])
  )
})
