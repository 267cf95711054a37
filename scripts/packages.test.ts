import { expect, it } from "vitest"
import { lockfilesAgree, uncheckedPackages } from "./packages.mjs"

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

it("names the packages that this machine would install without a checksum", () => {
  const { platform, arch } = process
  const here = { version: "1.0.0", os: [platform], cpu: [arch], optional: true }
  const packages = {
    "": { version: "0.1.0" },
    "node_modules/@x/here": here,
    "node_modules/@x/checked": { ...here, integrity: "sha512-a" },
    "node_modules/elsewhere": { ...here, os: ["plan9"] },
    "node_modules/otherwise": { ...here, libc: ["no such library"] }
  }
  expect(uncheckedPackages({ packages })).toEqual(["@x/here@1.0.0"])
})
