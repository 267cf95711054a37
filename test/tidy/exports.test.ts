import { expect, it } from "vitest"
import { exportedValues, unusedExports } from "./exports.ts"

const OWN = `export const used = 1, alone = 2
export function shown() {}
export class Kept {}
export type Told = string
export interface Said {}
const hidden = used + alone`

it("finds the values that a file exports", () => {
  const names = exportedValues({ path: "src/a.ts", text: OWN }).map(({ name }) => name)
  expect(names).toEqual(["used", "alone", "shown", "Kept"])
})

it("tells which of them no other file names", () => {
  const files = [
    { path: "src/a.ts", text: OWN },
    { path: "src/b.ts", text: 'import { used } from "./a.ts"\nnew Kept()' },
    { path: "docs/a.md", text: "alone and shown" }
  ]
  expect(unusedExports(files)).toEqual([
    { path: "src/a.ts", line: 1, message: "exports alone, which no other file names" },
    { path: "src/a.ts", line: 2, message: "exports shown, which no other file names" }
  ])
})
