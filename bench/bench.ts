/** What every bench gives: measured figures beside baselines taken in the same run. */

export interface Measure {
  /** what was measured, e.g. `logs decoded` */
  readonly metric: string
  readonly value: number
  readonly unit: string
  /** the baseline's figure, in the same unit; null where nothing compares */
  readonly baseline: number | null
  /** value over baseline */
  readonly ratio: number | null
  /** how many things the measured part went over */
  readonly n: number
}

/** The headline of a bench, and the other figures it took on the way. */
export interface BenchResult extends Measure {
  readonly bench: string
  readonly baseline: number
  readonly ratio: number
  readonly also?: ReadonlyArray<Measure>
}

export interface Bench {
  readonly name: string
  /** one line for the list of benches */
  readonly about: string
  /** its own options, a line each, as `--help` shows them */
  readonly options?: string
  /** tells what it does, and gives its headline; `args` are the words after the bench's name */
  readonly run: (args: ReadonlyArray<string>) => Promise<BenchResult>
}

/** A figure with its baseline. */
export const compared = (
  metric: string,
  unit: string,
  value: number,
  baseline: number,
  n: number
) => ({ metric, value, unit, baseline, ratio: value / baseline, n })

/** A figure that stands alone. */
export const alone = (metric: string, unit: string, value: number, n: number): Measure => ({
  metric,
  value,
  unit,
  baseline: null,
  ratio: null,
  n
})
