import { expect, it } from "vitest"
import { missingEntries, platformOf } from "./complete-lockfile.mjs"
import { lockfilesAgree } from "./packages.mjs"

const wanted = {
  packages: {
    "": { version: "0.1.0" },
    "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
    "node_modules/a-here": { version: "1.0.0", optional: true, os: [process.platform] },
    "node_modules/a-elsewhere": { version: "1.0.0", optional: true, os: ["plan9"] }
  }
}
const installed = {
  packages: {
    "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
    "node_modules/a-here": { version: "1.0.0", optional: true, os: [process.platform] }
  }
}
const withA = (entry: object) => ({ packages: { ...installed.packages, "node_modules/a": entry } })

it("accepts an installation without the binaries of other machines", () => {
  expect(lockfilesAgree(wanted, installed)).toBe(true)
})

it("asks for an installation when anything differs", () => {
  expect(lockfilesAgree(wanted, undefined)).toBe(false)
  expect(lockfilesAgree(wanted, { packages: {} })).toBe(false)
  expect(lockfilesAgree(wanted, withA({ version: "1.0.1", integrity: "sha512-a" }))).toBe(false)
  expect(lockfilesAgree(wanted, withA({ version: "1.0.0", integrity: "sha512-b" }))).toBe(false)
  const extra = { packages: { ...installed.packages, "node_modules/b": { version: "1.0.0" } } }
  expect(lockfilesAgree(wanted, extra)).toBe(false)
})

it("asks for an installation when node_modules was copied from another machine", () => {
  const copied = { packages: { ...wanted.packages } as Record<string, object> }
  delete copied.packages[""]
  expect(lockfilesAgree(wanted, copied)).toBe(false)
})

it("tells a package's platform by its name", () => {
  expect(platformOf("@duckdb/node-bindings-linux-x64-musl")).toEqual({
    os: ["linux"],
    cpu: ["x64"],
    libc: ["musl"]
  })
  expect(platformOf("@foundry-rs/anvil-darwin-amd64")).toEqual({ os: ["darwin"], cpu: ["x64"] })
  expect(platformOf("fsevents")).toEqual({})
})

it("completes a lockfile with the optional packages it lacks", () => {
  const optionalDependencies = { "a-linux-x64": "1.0.0", "a-win32-x64": "1.0.0", b: "2.0.0" }
  const packages = {
    "node_modules/a": { version: "1.0.0", dev: true, optionalDependencies },
    "node_modules/a-linux-x64": { version: "1.0.0", dev: true }
  }
  expect(missingEntries({ packages })).toEqual({
    "node_modules/a-win32-x64": {
      version: "1.0.0",
      dev: true,
      optional: true,
      os: ["win32"],
      cpu: ["x64"]
    }
  })
})
