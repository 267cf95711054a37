import { expect, it } from "vitest"
import { kindNames } from "./kind-names.ts"

it("finds kinds that are named outside their folders", () => {
  const text = `const table = {\n  "uniswap-v2": 1,\n  other: kind === \`solidly\` // "algebra"\n}`
  expect(kindNames({ path: "projections/pools/some.ts", text }).map(({ line }) => line)).toEqual([
    2, 3
  ])
  for (const path of ["streams/evm/solidly/pool.ts", "projections/some.test.ts", "bench/some.ts"]) {
    expect(kindNames({ path, text })).toEqual([])
  }
})
