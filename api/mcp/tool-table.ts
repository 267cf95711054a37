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

const placeOf = (path: string): keyof Family | undefined => {
  const [, place] = /^\/v1\/(arc|rh|chains\/solana|chains\/:chain)\//.exec(path) ?? []
  if (place === undefined || place === "arc" || place === "rh") return place
  return place === "chains/solana" ? "solana" : "keyed"
}

/** One that answers for a single chain is a family too, so that its tool may name the chain. */
const operationsOf = (of: ReadonlyArray<Endpoint>): Operations => {
  const [first, ...others] = of.map(({ path, id }) => ({ path, id, place: placeOf(path) }))
  if (first === undefined) return ""
  const isPlain = first.place === undefined || first.place === "keyed"
  if (others.length === 0 && isPlain) return first.id
  return Object.fromEntries(
    [first, ...others].map(({ path, id, place }) => {
      if (place === undefined) throw new Error(`${path}: only a family of chains shares a tool`)
      return [place, id]
    })
  )
}

/** By tool, less the prefix, in the order of the declarations. */
export const toolTable = onceAsked((): ReadonlyMap<string, Operations> => {
  const names = endpoints().flatMap(({ tool }) => (typeof tool === "string" ? [tool] : []))
  return new Map(
    names.map(name => [name, operationsOf(endpoints().filter(({ tool }) => tool === name))])
  )
})
