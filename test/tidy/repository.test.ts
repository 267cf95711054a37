import { expect, it } from "vitest"
import { changelogFormat } from "./changelog.ts"
import { decisionsIndex } from "./decisions.ts"
import {
  completeLockfile,
  documentedDependencies,
  exactPins,
  lockfileChecksums
} from "./manifest.ts"
import { fileNames } from "./names.ts"
import { describeViolation } from "./source-text.ts"
import { focusedTests, leftovers, machinePaths, pointingComments, registryHosts } from "./words.ts"

const at = (path: string, text = "") => ({ path, text })

it("wants names that say what is inside, in kebab-case", () => {
  for (const good of [
    "engine/log/segment-hash.ts",
    "engine/log/segment-hash.test.ts",
    "streams/evm/uniswap-v2/decode.ts",
    "streams/sources/devchain/contracts/Launcher.sol",
    "api/web/index.html",
    "api/web/types.d.ts",
    ".ci/run",
    "README.md"
  ])
    expect(fileNames(at(good))).toEqual([])
  for (const bad of [
    "engine/utils/a.ts",
    "engine/helpers.ts",
    "src/common/a.ts",
    "src/misc.ts",
    "engine/index.ts",
    "engine/SegmentHash.ts",
    "engine/segment_hash.ts"
  ])
    expect(fileNames(at(bad))).toHaveLength(1)
})

it("finds leftovers, focused tests, paths of one machine and registries", () => {
  expect(leftovers(at("a.ts", "// TODO: later"))).toHaveLength(1)
  expect(leftovers(at("a.md", "FIXME"))).toHaveLength(1)
  expect(leftovers(at("a.ts", "const todoList = TODOS"))).toEqual([])
  expect(pointingComments(at("a.ts", "/** The same of tokens. */"))).toHaveLength(1)
  expect(pointingComments(at("a.ts", "  /** the same by columns */"))).toHaveLength(1)
  expect(pointingComments(at("a.ts", "/** Whether both are the same. */"))).toEqual([])
  expect(focusedTests(at("a.test.ts", 'it.only("a")\ndescribe.skip.only("b")'))).toHaveLength(2)
  expect(focusedTests(at("a.test.ts", 'it("a", () => range.only())'))).toEqual([])
  expect(machinePaths(at("a.ts", 'read("/root/data")\nread("/home/me/data")'))).toHaveLength(2)
  expect(machinePaths(at("a.ts", '"https://a.example/home/x"\n"./work/a"'))).toEqual([])
  expect(registryHosts(at("a.json", '"resolved": "https://x"'))).toHaveLength(1)
  expect(registryHosts(at(".npmrc", "https://registry.npmjs.org/"))).toHaveLength(1)
})

it("wants exact versions", () => {
  const dependencies = {
    a: "1.2.3",
    b: "1.5.6-r.1",
    c: "npm:@x/c@1.0.0",
    d: "^1.0.0",
    e: "latest",
    f: "npm:f@^1.0.0",
    g: "1.x"
  }
  const found = exactPins(at("package.json", JSON.stringify({ dependencies })))
  expect(found.map(describeViolation)).toEqual([
    'package.json: d is "^1.0.0": pin one exact version',
    'package.json: e is "latest": pin one exact version',
    'package.json: f is "npm:f@^1.0.0": pin one exact version',
    'package.json: g is "1.x": pin one exact version'
  ])
})

it("wants the binaries of every platform in the lockfile", () => {
  const entry = { version: "1.0.0", optionalDependencies: { "a-darwin-arm64": "1.0.0" } }
  const lockfile = JSON.stringify({ packages: { "node_modules/a": entry } })
  expect(completeLockfile(at("package-lock.json", lockfile)).map(describeViolation)).toEqual([
    "package-lock.json: node_modules/a-darwin-arm64 is missing: npm leaves out what its registry lacks; keep the entry, or write one"
  ])
})

it("wants a checksum of all that is installed, and of what others install where there is one", () => {
  const other = { version: "1.0.0", optional: true }
  const packages = {
    "": {},
    "node_modules/a": { version: "1.0.0", integrity: "sha512-a" },
    "node_modules/b": { version: "1.0.0" },
    "node_modules/c": { version: "1.0.0", integrity: "sha1-c" },
    "node_modules/d": { ...other, os: ["linux"], cpu: ["x64"] },
    "node_modules/e": { ...other, os: ["linux"], cpu: ["arm64"] },
    "node_modules/f": { ...other, os: ["linux"], cpu: ["x64"], libc: ["musl"] },
    "node_modules/g": { ...other, os: ["darwin"], cpu: ["x64"] }
  }
  const lockfile = at("package-lock.json", JSON.stringify({ packages }))
  expect(lockfileChecksums(lockfile).map(({ message }) => message)).toEqual(
    ["b", "c", "d"].map(
      name =>
        `node_modules/${name} has no checksum: \`npm install\` writes it down where its registry has it`
    )
  )
})

it("wants every dependency in the README's table, once there is one", () => {
  const manifest = at(
    "package.json",
    '{"dependencies":{"a":"1.0.0"},"devDependencies":{"b":"1.0.0"}}'
  )
  const table =
    "# x\n\n`b` is named here\n\n## Dependencies\n\n| `a` | why |\n\n## More\n\n| `b` |\n"
  expect(documentedDependencies([manifest, at("README.md", "# x\n")])).toEqual([])
  expect(documentedDependencies([manifest, at("README.md", table)]).map(describeViolation)).toEqual(
    ["README.md: the table of dependencies lacks `b`"]
  )
})

it("accepts a changelog of the agreed form", () => {
  const text = `# Changelog

What changed, for those who run it.

## Unreleased

### Features

- A thing,
  in two lines.

### Internals

- Another.

## 0.10.0 (2026-02-01)

## 0.9.0 (2026-01-01)
`
  expect(changelogFormat(at("CHANGELOG.md", text))).toEqual([])
})

it.each([
  ["# Changes", 'starts with "# Changelog"'],
  ["# Changelog\n## v1", 'a release is "## 1.2.3 (2026-01-31)"'],
  [
    "# Changelog\n## 0.9.0 (2026-01-01)\n## 0.10.0 (2026-01-01)",
    "releases go from the newest to the oldest"
  ],
  ["# Changelog\n## 0.9.0 (2026-01-01)\n## Unreleased", "Unreleased comes first"],
  ["# Changelog\n### Features", "a section belongs to a release"],
  [
    "# Changelog\n## Unreleased\n### Added",
    "sections are Safety and performance, Features, Internals"
  ],
  ["# Changelog\n## Unreleased\n### Internals\n### Features", "sections have a fixed order"],
  ["# Changelog\n## Unreleased\n- a", "an entry belongs to a section"],
  [
    "# Changelog\n## Unreleased\n### Features\n* a",
    'entries are "- …", their further lines indented by two'
  ]
])("refuses a changelog: %j", (text, message) => {
  expect(changelogFormat(at("CHANGELOG.md", text)).map(found => found.message)).toEqual([message])
})

it("wants each decision that stands in the index, and no other", () => {
  const said = (text: string) => decisionsIndex(at("DECISIONS.md", text)).map(one => one.message)
  const entries = "\n## 1. A\n\nStatus: stands; revised by 3.\n\n## 2. B\n\nStatus: withdrawn.\n"
  expect(said(`- 1: A\n${entries}`)).toEqual([])
  const wrong = (number: number) => `the index names ${number} once, by its title, where it stands`
  expect(said(entries)).toEqual(["the index lacks decision 1, which stands"])
  expect(said(`- 1: A\n- 2: B\n${entries}`)).toEqual([wrong(2)])
  expect(said(`- 1: A\n- 1: A\n${entries}`)).toEqual([wrong(1)])
  expect(said(`- 1: Another\n${entries}`)).toEqual([wrong(1)])
  expect(said("## 1. A\n\nWhy.\n")).toEqual(["a decision begins with its status"])
})
