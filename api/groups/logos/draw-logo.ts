/**
 * Draws a token's picture from its address: five by five mirrored squares in one colour. An address
 * has the same picture on every chain, and tokens with the same symbol look different.
 */
import { fromHex } from "../../../src/domain/address.ts"
import { idBytes } from "../../../src/domain/ids.ts"

const SIZE = 5
/** Number of drawn columns; the other columns mirror the drawn ones. */
const HALF = 3

/** Returns an SVG of 64 by 64 pixels. */
export const drawLogo = (address: string): string => {
  const bytes = address.startsWith("0x") ? fromHex(address) : idBytes(address)
  // Every byte counts, so that predeploys, whose addresses are mostly zeros, differ too.
  let state = 0x811c9dc5
  const next = (): number => {
    for (const byte of bytes) state = Math.imul(state ^ byte, 0x01000193)
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d)
    return (state ^ (state >>> 13)) >>> 0
  }
  const hue = next() % 360
  const squares: Array<string> = []
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < HALF; x++) {
      if ((next() & 0x100) === 0) continue
      for (const column of new Set([x, SIZE - 1 - x])) {
        squares.push(`M${7 + column * 10} ${7 + y * 10}h10v10h-10z`)
      }
    }
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><rect width="64" height="64" rx="32" fill="hsl(${hue} 45% 92%)"/><path fill="hsl(${hue} 60% 42%)" d="${squares.join("")}"/></svg>`
}
