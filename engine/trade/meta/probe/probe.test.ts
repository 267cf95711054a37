import { expect, it } from "vitest"
import { compileProbe } from "./compile-probe.ts"
import probe from "./probe.json" with { type: "json" }

it("is what its source compiles to", () => {
  expect(compileProbe()).toEqual(probe)
})
