/** Figures of many repetitions. */

/** The smallest value that at least the share `q` of all values does not exceed. */
export const quantile = (values: ReadonlyArray<number> | Float64Array, q: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)] ?? Number.NaN
}

export const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)
