import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { makeFolders } from "./make-folder.ts"

const base = mkdtempSync(join(tmpdir(), "folders-"))
afterAll(() => rmSync(base, { recursive: true, force: true }))

describe("a folder", () => {
  it("is made with those above it, and stays where it is there", () => {
    const path = join(base, "a", "b", "c")
    makeFolders(path)
    expect(statSync(path).isDirectory()).toBe(true)
    writeFileSync(join(path, "kept"), "")
    makeFolders(path)
    expect(existsSync(join(path, "kept"))).toBe(true)
  })

  it("that a file is in the place of fails at once, and says which file to move away", () => {
    const file = join(base, "file")
    writeFileSync(file, "")
    for (const path of [file, join(file, "x"), join(file, "x", "y")]) {
      expect(() => makeFolders(path)).toThrow(new Error(`${file} is a file: move it away`))
    }
  })

  // A file system that takes no folder and says that there is none: Node's own way loops.
  it.runIf(existsSync("/proc/self"))("below /proc fails at once too", () => {
    expect(() => makeFolders("/proc/x/y")).toThrow("ENOENT")
  })
})
