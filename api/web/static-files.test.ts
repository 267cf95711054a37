import { readdirSync, readFileSync, statSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { pageHeaders, staticFiles } from "./static-files.ts"

const text = (file: URL) => readFileSync(file, "utf8")
const paths = new Set(staticFiles.map(({ path }) => path))
const isOfThePage = (name: string) => /\.(js|css|svg|html)$/.test(name)
const client = new URL("../../client/", import.meta.url)
const isOfTheClient = (name: string) => name.endsWith(".js") && !name.startsWith("node_modules")

describe("the page's files", () => {
  it("are all listed, each once, and there", () => {
    const inFolder = [
      ...readdirSync(import.meta.dirname).filter(isOfThePage),
      ...readdirSync(client, { recursive: true, encoding: "utf8" })
        .filter(isOfTheClient)
        .map(name => name.split("/").at(-1))
    ]
    const listed = staticFiles.map(({ file }) => file.pathname.split("/").at(-1))
    expect(listed.toSorted()).toEqual(
      [...inFolder, "LICENSE", "lightweight-charts.standalone.production.mjs"].toSorted()
    )
    expect(paths.size).toBe(staticFiles.length)
    for (const { file } of staticFiles) expect(text(file).length).toBeGreaterThan(0)
  })

  it("name only each other, and the reference", () => {
    const named = staticFiles
      .filter(({ path }) => /^\/(assets\/|client\/|$)/.test(path))
      .flatMap(({ path, file }) =>
        [...text(file).matchAll(/(?:from|href=|src=)\s*"([./][^"]*)"/g)].map(
          ([, target]) => new URL(target ?? "", `http://page${path}`).pathname
        )
      )
    expect(named.filter(path => !paths.has(path))).toEqual(["/docs"])
    expect(named.length).toBeGreaterThan(30)
  })

  it("load nothing from elsewhere and keep scripts and styles out of the markup", () => {
    const page = text(staticFiles[0]!.file)
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/)
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=/)
    expect(page.match(/(?:src|rel="stylesheet" href)="(?:https?:)?\/\//g)).toBeNull()
    expect(pageHeaders["content-security-policy"]).toContain("default-src 'none'")
    expect(pageHeaders["content-security-policy"]).not.toContain("unsafe")
  })

  it("come to less than 300 KB of script, the chart's library aside", () => {
    const scripts = staticFiles.filter(({ path }) => /^\/(assets|client)\/.*\.js$/.test(path))
    const bytes = scripts.reduce((sum, { file }) => sum + statSync(file).size, 0)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(300_000)
  })

  it("keep the chart library's licence and credit", () => {
    const library = staticFiles.find(({ path }) => path === "/vendor/lightweight-charts.mjs")!
    expect(text(library.file).slice(0, 300)).toContain("Apache License 2.0")
    expect(text(library.file)).not.toMatch(/^import|[;}]import[{ ]/m)
    expect(text(staticFiles[0]!.file)).toContain("https://www.tradingview.com/")
  })
})
