/** Lines of files that could not be used: all are counted, the first ones kept for showing. */
import type { Rejection } from "./log-cursor.ts"

const KEPT = 100

export class Rejections {
  count = 0
  readonly kept: Array<Rejection> = []

  readonly add = (rejection: Rejection): void => {
    this.count++
    if (this.kept.length < KEPT) this.kept.push(rejection)
  }

  clear(): void {
    this.count = 0
    this.kept.length = 0
  }
}
