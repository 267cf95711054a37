import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"

it("writes nothing where nobody reads a kind, and says what to do", () => {
  const folder = mkdtempSync(join(tmpdir(), "chains-"))
  const file = join(folder, "registry.json")
  const venues = [
    { chainId: 1, id: "new_dex", kind: "new_curve" },
    { chainId: 1, id: "fluid", kind: "fluid_v1" },
    { chainId: 1, id: "uniswap_v2", kind: "v2" }
  ]
  writeFileSync(file, JSON.stringify({ chains: [], venues, routers: [] }))
  const script = join(import.meta.dirname, "generate-chains.mjs")
  const { status, stderr } = spawnSync(process.execPath, [script, file], { encoding: "utf8" })
  rmSync(folder, { recursive: true })
  expect(stderr).toMatch(/^new_dex of chain 1: kind new_curve\nNo folder of streams\/evm is of/)
  expect(stderr).toContain("registryName")
  expect(stderr).not.toMatch(/fluid|uniswap/)
  expect(status).toBe(1)
})
