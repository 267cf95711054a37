/** What answers were and how long they took, by declared route; `/metrics` shows it. */
import { GrowingSum } from "../src/platform/growing-sum.ts"
import { Histogram } from "./histogram.ts"

/** The route of what nothing declares. */
export const OTHER_ROUTE = "other"

const NOT_MODIFIED = 304

export class RouteMeter {
  readonly route: string
  /** by the first digit of the status; null where there was none of it */
  readonly classes: Array<Histogram | null> = [null, null, null, null, null, null]
  private readonly sent = new GrowingSum()

  constructor(route: string) {
    this.route = route
  }

  /** Bytes of bodies, as they were sent. */
  get sentBytes(): number {
    return this.sent.value
  }

  /**
   * An answer with this status that took so long; `bytes` of its body, null where its reader had it
   * already, to whom 304 is said.
   */
  made(seconds: number, status: number, bytes: number | null): void {
    const digit = Math.floor((bytes === null ? NOT_MODIFIED : status) / 100)
    this.classes[digit] ??= new Histogram()
    this.classes[digit]?.took(seconds)
    this.sent.add(bytes ?? 0)
  }
}

export class RouteMeters {
  private readonly meters = new Map<string, RouteMeter>()

  /** The meter of a declared route. */
  of(route: string): RouteMeter {
    const known = this.meters.get(route)
    if (known !== undefined) return known
    const made = new RouteMeter(route)
    this.meters.set(route, made)
    return made
  }

  get all(): ReadonlyArray<RouteMeter> {
    return [...this.meters.values()]
  }
}
