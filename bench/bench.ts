/** What every bench gives: one measured figure beside a baseline taken in the same run. */
export interface BenchResult {
  readonly bench: string
  /** what was measured, e.g. `logs decoded` */
  readonly metric: string
  readonly value: number
  readonly unit: string
  /** the baseline's figure, in the same unit */
  readonly baseline: number
  /** value over baseline */
  readonly ratio: number
  /** how many things the measured part went over */
  readonly n: number
}

export interface Bench {
  readonly name: string
  /** prints what it does to stdout and gives its headline */
  readonly run: (args: ReadonlyArray<string>) => Promise<BenchResult>
}
