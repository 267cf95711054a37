/** The first few of many, without sorting all. */

/**
 * The first `count` of the items in the order of `compare`, sorted. A heap holds the best so far,
 * the worst of them on top, so most items are dismissed by one comparison.
 */
export const topOf = (
  items: ArrayLike<number>,
  count: number,
  compare: (a: number, b: number) => number
): Array<number> => {
  const heap: Array<number> = []
  const swap = (i: number, j: number): void => {
    const kept = heap[i] as number
    heap[i] = heap[j] as number
    heap[j] = kept
  }
  const worse = (i: number, j: number): boolean => compare(heap[i] as number, heap[j] as number) > 0
  const rise = (from: number): void => {
    for (let i = from; i > 0; ) {
      const parent = (i - 1) >> 1
      if (!worse(i, parent)) return
      swap(i, parent)
      i = parent
    }
  }
  const sink = (): void => {
    for (let i = 0; ; ) {
      const left = 2 * i + 1
      if (left >= heap.length) return
      const child = left + 1 < heap.length && worse(left + 1, left) ? left + 1 : left
      if (!worse(child, i)) return
      swap(child, i)
      i = child
    }
  }
  // an index is several times faster than an iterator
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as number
    if (heap.length < count) {
      heap.push(item)
      rise(heap.length - 1)
    } else if (count > 0 && compare(item, heap[0] as number) < 0) {
      heap[0] = item
      sink()
    }
  }
  return heap.sort(compare)
}
