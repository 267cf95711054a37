/** A share in percent, to four places; 0 of nothing. */
export const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e6) / 1e4
