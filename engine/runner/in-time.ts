/** Time as folds see it: it never goes back, whatever the log tells. */
import { NumColumn } from "../../streams/batch/columns.ts"
import type { SeqRange } from "../log/effective.ts"
import type { Segment } from "../log/segment.ts"
import { placesOf } from "./join-events.ts"

/**
 * Returns a segment of which the blocks of a range are of no earlier time than those before them in
 * the log, and which ends with the newest of these times. Folds bear nothing else: the newest row
 * of a slot is that of its newest bucket, so one that was left must not begin again.
 *
 * @param after time of what stands before the range (Unix seconds)
 */
export const inTime = (segment: Segment, range: SeqRange, after: number): Segment => {
  const { header, batch } = segment
  const { block, blocks } = batch
  const [first, end] = placesOf(segment, range)
  let [time, times] = [after, blocks.time]
  const last = first < end ? block.get(end - 1) : -1
  for (let place = block.get(first); place <= last; place++) {
    const told = blocks.time.get(place)
    if (told >= time) {
      time = told
      continue
    }
    if (times === blocks.time) {
      times = new NumColumn(blocks.time.values.slice())
      times.count = blocks.count
    }
    times.values[place] = time
  }
  const seen = times === blocks.time ? batch : { ...batch, blocks: { ...blocks, time: times } }
  return { ...segment, header: { ...header, lastBlockTime: time }, batch: seen }
}
