/** Typed arrays by an id that is dense from 0: they grow as ids appear. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array

/** The array if it has a place for an id, else a longer copy whose new places hold `empty`. */
export const roomFor = <A extends Numbers>(array: A, id: number, empty = 0): A => {
  if (id < array.length) return array
  const longer = new (array.constructor as new (length: number) => A)(
    Math.max(id + 1, array.length * 2)
  )
  longer.set(array as never)
  // memory that nobody has written to costs nothing
  return empty === 0 ? longer : (longer.fill(empty, array.length) as A)
}
