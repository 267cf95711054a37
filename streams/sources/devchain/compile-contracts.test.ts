import { expect, test } from "vitest"
import { compileContracts } from "./compile-contracts.ts"
import ownContracts from "./contracts.json" with { type: "json" }

test("contracts.json is what the sources compile to", { timeout: 120_000 }, () => {
  expect(compileContracts()).toEqual(ownContracts)
})
