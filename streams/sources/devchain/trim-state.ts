/**
 * Takes old blocks out of an Anvil state file. Anvil forgets the transactions of old blocks but
 * keeps every block itself, 3 KB each, for ever; a devchain restarted from a trimmed file is small
 * again. Works on bytes, since parsing such a file as a whole would stop the process for a second.
 */

const OPEN = 0x7b
const CLOSE = 0x7d
const END_OF_LIST = 0x5d

/** Blocks 0 to 2 are kept: they tell which chain this is. */
const FIRST_BLOCKS = 2

const FIELD = '"blocks":['
const NUMBER = /"header":\{.*?"number":"(0x[0-9a-f]+)"/s

/** Byte ranges of the objects of the list that begins at `from`, and where the list ends. */
const objectsAt = (json: Buffer, from: number) => {
  const objects: Array<readonly [start: number, end: number]> = []
  let depth = 0
  let start = from
  let at = from
  // Strings in blocks are hexadecimal, so braces only ever open and close objects.
  for (; at < json.length; at++) {
    const byte = json[at]
    if (byte === OPEN && depth++ === 0) start = at
    else if (byte === CLOSE && --depth === 0) objects.push([start, at + 1])
    else if (byte === END_OF_LIST && depth === 0) break
  }
  return { objects, end: at }
}

/** The state file without the blocks before `oldest`, the very first excepted. */
export const trimState = (json: Buffer, oldest: number): Buffer => {
  const field = json.indexOf(FIELD)
  if (field < 0) return json
  const { objects, end } = objectsAt(json, field + FIELD.length)
  const kept = objects.flatMap(([start, stop]) => {
    const number = NUMBER.exec(json.toString("latin1", start, stop))?.[1]
    const old = number !== undefined && Number(number) > FIRST_BLOCKS && Number(number) < oldest
    return old ? [] : [json.subarray(start, stop)]
  })
  const comma = Buffer.from(",")
  return Buffer.concat([
    json.subarray(0, field + FIELD.length),
    ...kept.flatMap((block, i) => (i === 0 ? [block] : [comma, block])),
    json.subarray(end)
  ])
}
