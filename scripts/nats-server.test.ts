import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { temporaryFolder } from "../test/support/nats.ts"
import { compareVersions, findNatsServer, minimumVersion, versionOf } from "./nats-server.mjs"

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
  folder.remove()
})

/** A program that says it is a nats-server of this version. */
const fakeServer = (directory: string, version: string) => {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, "nats-server")
  writeFileSync(path, `#!/bin/sh\necho "nats-server: v${version}"\n`)
  chmodSync(path, 0o755)
  return path
}

it("orders versions by number", () => {
  expect(compareVersions("2.10.9", "2.10.23")).toBeLessThan(0)
  expect(compareVersions("2.11.0", "2.10.23")).toBeGreaterThan(0)
  expect(compareVersions("2.10.23", "2.10.23")).toBe(0)
})

it("reads the version of the real server these tests run with", () => {
  const version = versionOf(process.env["NATS_SERVER"] ?? "") ?? "0"
  expect(compareVersions(version, minimumVersion)).toBeGreaterThanOrEqual(0)
  expect(versionOf("/nowhere/nats-server")).toBe(undefined)
})

it("prefers NATS_SERVER, then PATH, then what was unpacked, and skips what is too old", () => {
  const named = fakeServer(join(folder.path, "named"), "2.10.23")
  const onPath = fakeServer(join(folder.path, "new"), "2.11.0")
  fakeServer(join(folder.path, "old"), "2.9.10")
  const unpacked = (version: string) =>
    fakeServer(join(folder.path, "nats-server", version, "usr", "sbin"), version)
  unpacked("2.10.9")
  const newest = unpacked("2.10.27")
  vi.stubEnv("PATH", [join(folder.path, "old"), join(folder.path, "new")].join(":"))
  vi.stubEnv("NATS_SERVER", named)
  expect(findNatsServer(folder.path)).toBe(named)
  vi.stubEnv("NATS_SERVER", undefined)
  expect(findNatsServer(folder.path)).toBe(onPath)
  vi.stubEnv("PATH", join(folder.path, "old"))
  // A nats-server of the system comes before ours, where it is new enough.
  expect([newest, "/usr/sbin/nats-server"]).toContain(findNatsServer(folder.path))
})

it("refuses a NATS_SERVER that will not do, instead of taking another", () => {
  vi.stubEnv("NATS_SERVER", fakeServer(folder.path, "2.9.10"))
  expect(() => findNatsServer(folder.path)).toThrow(
    `NATS_SERVER=${join(folder.path, "nats-server")} is 2.9.10: ${minimumVersion} or newer is needed`
  )
})
