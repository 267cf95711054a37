import { existsSync } from "node:fs"
import { expect, it } from "vitest"
import { missingData, sharedData } from "./shared-data.ts"

it("names what the data folder lacks", () => {
  expect(missingData(["no/such/file", "no-such-folder"])).toEqual([
    "no/such/file",
    "no-such-folder"
  ])
  expect(missingData(["."])).toEqual(existsSync(sharedData) ? [] : ["."])
})
