/** Where answers have maps: objects whose names are data, as addresses are, and not fields. */
import { type JsonSchema, type Operation, target } from "./operations.ts"

const kindOf = ({ type, properties, additionalProperties }: JsonSchema) => {
  if (type === "array") return "list"
  const isFree = typeof additionalProperties === "object" && additionalProperties !== null
  return type === "object" && properties === undefined && isFree ? "map" : "other"
}

const FORMS = ["anyOf", "oneOf", "allOf"] as const

const walk = (of: JsonSchema, place: string, found: Set<string>, above: ReadonlyArray<string>) => {
  const reference = of["$ref"]
  // a schema that is within itself has no end of places
  if (typeof reference === "string" && above.includes(reference)) return
  const seen = typeof reference === "string" ? [...above, reference] : above
  const schema = target(of)
  const into = (each: unknown, name: string) => walk(each as JsonSchema, name, found, seen)
  for (const form of FORMS) {
    for (const each of (schema[form] ?? []) as ReadonlyArray<unknown>) into(each, place)
  }
  const kind = kindOf(schema)
  if (kind === "map") found.add(place)
  const rows = kind === "map" ? schema["additionalProperties"] : schema["items"]
  if (kind !== "other" && typeof rows === "object") into(rows, `${place}.*`)
  for (const [name, each] of Object.entries(schema["properties"] ?? {})) {
    into(each, place === "" ? name : `${place}.${name}`)
  }
}

const known = new WeakMap<Operation, ReadonlySet<string>>()

/** Places of the maps in an operation's answer, with `*` for a row: `prices`, `lanes.*.grades`. */
export const mapPlaces = (operation: Operation): ReadonlySet<string> => {
  const kept = known.get(operation)
  if (kept !== undefined) return kept
  const found = new Set<string>()
  walk(operation.answer ?? {}, "", found, [])
  known.set(operation, found)
  return found
}
