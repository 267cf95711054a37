/** Results for a person and for a program. */
import type { BenchResult, Measure } from "./bench.ts"

/** Three significant figures, thousands apart. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "-"
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US")
  return String(Number(value.toPrecision(3)))
}

const HEADS = ["measure", "value", "unit", "baseline", "ratio", "n"]

const cells = ({ metric, value, unit, baseline, ratio, n }: Measure): ReadonlyArray<string> => [
  metric,
  figure(value),
  unit,
  baseline === null ? "-" : figure(baseline),
  ratio === null ? "-" : figure(ratio),
  figure(n)
]

/** A table of all measures; names and units on the left, numbers on the right. */
export const tableOf = (result: BenchResult): string => {
  const rows = [HEADS, ...[result, ...(result.also ?? [])].map(cells)]
  const widths = HEADS.map((_, i) => Math.max(...rows.map(row => (row[i] ?? "").length)))
  const line = (row: ReadonlyArray<string>) =>
    row
      .map((cell, i) =>
        i === 0 || i === 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)
      )
      .join("  ")
      .trimEnd()
  return `${rows.map(line).join("\n")}\n`
}

/** The measure of this name; throws where the bench has none. */
export const measureOf = (result: BenchResult, metric: string): Measure => {
  const all: ReadonlyArray<Measure> = [result, ...(result.also ?? [])]
  const found = all.find(measure => measure.metric === metric)
  if (found !== undefined) return found
  throw new Error(`no measure ${metric}: there are ${all.map(one => one.metric).join(", ")}`)
}

/** The line that programs read. */
export const jsonLine = (bench: string, measure: Measure): string => {
  const { metric, value, unit, baseline, ratio, n } = measure
  return `${JSON.stringify({ bench, metric, value, unit, baseline, ratio, n })}\n`
}
