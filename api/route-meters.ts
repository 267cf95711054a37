/** How long answers took and what they were, by declared route; `/metrics` shows it. */

/** Upper bounds of the buckets, in seconds; what took longer is in one more. */
export const BOUNDS_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10] as const

/** The route of what nothing declares. */
export const OTHER_ROUTE = "other"

export class RouteMeter {
  readonly route: string
  /** answers by the first bound that they kept */
  readonly buckets: Array<number> = Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0)
  /** answers by the first digit of their status */
  readonly classes: Array<number> = [0, 0, 0, 0, 0, 0]
  seconds = 0

  constructor(route: string) {
    this.route = route
  }

  get count(): number {
    return this.buckets.reduce((sum, each) => sum + each, 0)
  }

  /** An answer that was made before: it takes microseconds, which are not measured. */
  kept(isNotModified: boolean): void {
    this.buckets[0] = (this.buckets[0] as number) + 1
    const digit = isNotModified ? 3 : 2
    this.classes[digit] = (this.classes[digit] as number) + 1
  }

  /** An answer with this status that took so long. */
  made(seconds: number, status: number): void {
    const found = BOUNDS_SECONDS.findIndex(bound => seconds <= bound)
    const bucket = found < 0 ? BOUNDS_SECONDS.length : found
    const digit = Math.floor(status / 100)
    this.buckets[bucket] = (this.buckets[bucket] as number) + 1
    this.classes[digit] = (this.classes[digit] ?? 0) + 1
    this.seconds += seconds
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
