/** Rows of the slice in hand, by columns that are overwritten with each slice. */
import { roomFor } from "../../engine/memory/room.ts"

export abstract class SliceRows {
  count = 0
  /** place of the event in the batch; as long as every other column */
  abstract event: Uint32Array

  /** Returns the number of a new row, all of whose columns the caller must write. */
  next(): number {
    if (this.count === this.event.length) this.grow()
    return this.count++
  }

  private grow(): void {
    for (const [name, column] of Object.entries(this)) {
      if (typeof column !== "number") Object.assign(this, { [name]: roomFor(column, this.count) })
    }
  }
}
