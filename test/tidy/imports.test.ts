import { expect, it } from "vitest"
import {
  folderCycles,
  importCycles,
  importDirection,
  importsOf,
  platformPackages,
  targetOf
} from "./imports.ts"

/** The targets that a file at `path` may not import, of those it imports. */
const refused = (path: string, ...targets: ReadonlyArray<string>) => {
  const depth = path.split("/").length - 1
  const text = targets.map(target => `import "${"../".repeat(depth)}${target}"`).join("\n")
  return importDirection({ path, text }).map(({ line }) => targets[line - 1])
}

it("lets imports point inwards only", () => {
  expect(refused("src/domain/a.ts", "src/math/b.ts", "src/platform/c.ts")).toEqual([
    "src/platform/c.ts"
  ])
  expect(refused("src/platform/a.ts", "src/domain/b.ts", "streams/c.ts")).toEqual(["streams/c.ts"])
  expect(refused("streams/a.ts", "src/platform/b.ts", "engine/c.ts")).toEqual(["engine/c.ts"])
  expect(refused("engine/a.ts", "streams/b.ts", "projections/c.ts")).toEqual(["projections/c.ts"])
  expect(refused("api/a.ts", "projections/a/queries.ts", "src/bin/b.ts")).toEqual(["src/bin/b.ts"])
  expect(refused("src/bin/a.ts", "api/a.ts", "streams/evm/b/venue.ts")).toEqual([])
  expect(refused("engine/a.test.ts", "api/a.ts")).toEqual([])
})

it("keeps venues apart from each other and from the machinery", () => {
  const allowed = ["src/math/a.ts", "streams/venue.ts", "streams/evm/b.ts", "streams/evm/mine/c.ts"]
  const not = ["src/platform/a.ts", "streams/evm/yours/decode.ts", "streams/sources/file/b.ts"]
  expect(refused("streams/evm/mine/decode.ts", ...allowed, ...not)).toEqual(not)
})

it("keeps folds pure, and lets queries read", () => {
  const outer = ["src/platform/duckdb.ts", "engine/log/a.ts", "streams/evm/b/decode.ts"]
  const inner = ["engine/projection.ts", "streams/event.ts", "projections/prices/fold.ts"]
  expect(refused("projections/candles/fold.ts", ...inner, ...outer)).toEqual(outer)
  expect(refused("projections/candles/queries.ts", ...inner, ...outer)).toEqual([])
})

it("lets the engine name no venue and no source", () => {
  const named = ["streams/evm/b/venue.ts", "streams/solana/c/venue.ts", "streams/sources/d/e.ts"]
  expect(refused("engine/runner/a.ts", "streams/venue.ts", ...named)).toEqual(named)
})

it("says what is imported and why that is wrong", () => {
  const text = 'import { a } from "../../streams/evm/b/venue.ts"'
  expect(importDirection({ path: "engine/log/c.ts", text })).toEqual([
    {
      path: "engine/log/c.ts",
      line: 1,
      message: "imports streams/evm/b/venue.ts: the engine names no venue and no source"
    }
  ])
})

it("keeps packages that touch the outside in src/platform", () => {
  const text = [
    'import { connect } from "@nats-io/transport-node"',
    'import { DuckDBInstance } from "@duckdb/node-api"',
    'import uws from "uWebSockets.js"',
    'import { spawn } from "node:child_process"',
    'import { createPublicClient } from "viem"',
    'import { keccak256 } from "viem"',
    'import { Config } from "effect"',
    'import { Effect } from "effect"',
    'const nats = import("@nats-io/jetstream")'
  ].join("\n")
  const lines = platformPackages({ path: "engine/a.ts", text }).map(({ line }) => line)
  expect(lines).toEqual([1, 2, 3, 4, 5, 7, 9])
  expect(platformPackages({ path: "src/platform/a.ts", text })).toEqual([])
  expect(platformPackages({ path: "src/bin/a.ts", text })).toHaveLength(7)
})

it("reads every form of import", () => {
  const text = `import a, { b as c } from "./a.ts"
import type { D } from "./d.ts"
export { e } from "./e.ts"
const f = () => import("./f.ts")`
  const found = importsOf({ path: "engine/g.ts", text })
  expect(found.map(({ specifier, names, isType }) => [specifier, names, isType])).toEqual([
    ["./a.ts", ["b"], false],
    ["./d.ts", ["D"], true],
    ["./e.ts", [], false],
    ["./f.ts", [], false]
  ])
  expect(targetOf("engine/log/a.ts", "../b.ts")).toBe("engine/b.ts")
  expect(targetOf("engine/log/a.ts", "effect")).toBe(undefined)
})

it("finds circles of imports, but not of types", () => {
  const a = { path: "engine/a.ts", text: 'import { b } from "./b.ts"' }
  const c = { path: "engine/c.ts", text: 'import { a } from "./a.ts"' }
  const circle = importCycles([a, { path: "engine/b.ts", text: 'import { c } from "./c.ts"' }, c])
  expect(circle.map(({ message }) => message)).toEqual([
    "imports itself: engine/a.ts → engine/b.ts → engine/c.ts → engine/a.ts"
  ])
  const typed = { path: "engine/b.ts", text: 'import type { c } from "./c.ts"' }
  expect(importCycles([a, typed, c])).toEqual([])
})

it("finds folders that import each other, though no file does", () => {
  const up = { path: "projections/a/x.ts", text: 'import { y } from "../b/y.ts"' }
  const down = { path: "projections/b/z.ts", text: 'import { w } from "../a/w.ts"' }
  expect(importCycles([up, down])).toEqual([])
  expect(folderCycles([up, down])).toEqual([
    {
      path: "projections/a",
      line: 0,
      message: "imports itself: projections/a → projections/b → projections/a"
    }
  ])
  const typed = { ...down, text: 'import type { w } from "../a/w.ts"' }
  expect(folderCycles([up, typed])).toHaveLength(1)
  // a file above the folders is none of theirs
  const above = { path: "projections/all.ts", text: 'import { y } from "./b/y.ts"' }
  const toAbove = { ...down, text: 'import type { w } from "../contract.ts"' }
  expect(folderCycles([up, above, toAbove])).toEqual([])
})
