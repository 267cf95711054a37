/** States of pools as values without classes, and back: a snapshot keeps what objects hold. */
import { type TickInfo, TickMap, type TickWindow } from "../../../src/math/concentrated/tick-map.ts"

/** A `TickMap`, as no state's own field is called. */
interface PlainTicks {
  readonly "of TickMap": readonly [
    spacing: number,
    window: TickWindow | null,
    ticks: ReadonlyArray<TickInfo>
  ]
}

const isPlainTicks = (value: object): value is PlainTicks => "of TickMap" in value

/** Every part of a value with what `change` makes of the objects in it; the others as they are. */
const mapped = (value: unknown, change: (part: object) => unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  const changed = change(value)
  if (changed !== value) return changed
  const inner = (part: unknown): unknown => mapped(part, change)
  if (Array.isArray(value)) return value.map(inner)
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, inner(one)]))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))
}

/** Dies where a state holds an object of a class that is not known here. */
export const plainState = (state: unknown): unknown =>
  mapped(state, part => {
    if (part instanceof TickMap) {
      const { spacing, window } = part
      return { "of TickMap": [spacing, window, [...part.entries()]] } satisfies PlainTicks
    }
    const isPlain =
      Array.isArray(part) || part instanceof Map || Object.getPrototypeOf(part) === Object.prototype
    if (!isPlain) throw new Error(`a pool's state holds a ${part.constructor.name}`)
    return part
  })

export const stateOfPlain = (plain: unknown): unknown =>
  mapped(plain, part => {
    if (!isPlainTicks(part)) return part
    const [spacing, window, ticks] = part["of TickMap"]
    return TickMap.of(spacing, ticks, window)
  })
