/** The contract as others read it: a public linter of OpenAPI 3.1 has nothing to say against it. */
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { expect, it } from "vitest"
import { shownDescription } from "../../description.ts"

/** Rules of the linter's recommended set that do not fit, and why. */
const OFF = {
  // the live socket's messages and frames stand among the components, and no path leads to them
  "no-unused-components": "off"
} as const

it("is valid OpenAPI 3.1, by Redocly's recommended rules", async () => {
  const config = await createConfig({ extends: ["recommended"], rules: OFF })
  const source = JSON.stringify(shownDescription())
  const problems = await lintFromString({ source, absoluteRef: "openapi.json", config })
  const told = problems.map(({ severity, ruleId, message, location }) => {
    const at = location.map(({ pointer }) => pointer).join(", ")
    return `${severity} ${ruleId} ${at}: ${message}`
  })
  expect(told).toEqual([])
})
