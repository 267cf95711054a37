import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { apiDescription } from "../api/description.ts"
import { clientFiles } from "../api/typed-client/client-files.ts"

it("is what the API declares (else: npm run client)", () => {
  for (const [path, text] of Object.entries(clientFiles(apiDescription()))) {
    expect(readFileSync(new URL(`../${path}`, import.meta.url), "utf8"), path).toBe(text)
  }
})
