import { readdirSync, readFileSync } from "node:fs"
import { brotliCompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { esbuild, PAGE_FORM } from "../../scripts/bundled.mjs"
import { pageHeaders, staticFiles } from "./static-files.ts"

const text = (file: URL) => readFileSync(file, "utf8")
const paths = new Set(staticFiles.map(({ path }) => path))
const isOfThePage = (name: string) => /\.(js|css|svg|html)$/.test(name)
const textAt = (path: string) => text(staticFiles.find(each => each.path === path)!.file)

/** Bytes of a script as engines send it, our own in their shortest form, and as brotli. */
const sizesOf = new Map<string, { readonly bytes: number; readonly sent: number }>()
const sizeOf = (path: string) => {
  const isOwn = !path.startsWith("/vendor/")
  const known = sizesOf.get(path)
  if (known !== undefined) return known
  const code = isOwn ? esbuild().transformSync(textAt(path), PAGE_FORM).code : textAt(path)
  const size = { bytes: Buffer.byteLength(code), sent: brotliCompressSync(code).length }
  sizesOf.set(path, size)
  return size
}

/** Adds a script and all that it needs before it runs; what it asks for later is not among them. */
const loadedBy = (path: string, known: Set<string>): Set<string> => {
  if (known.has(path)) return known
  known.add(path)
  if (path.startsWith("/vendor/")) return known
  for (const [, target = ""] of textAt(path).matchAll(/from\s*"([./][^"]*)"/g)) {
    loadedBy(new URL(target, `http://page${path}`).pathname, known)
  }
  return known
}

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
        [...text(file).matchAll(/(?:from|import\(|href=|src=)\s*"([./][^"]*)"/g)].map(
          ([, target]) => new URL(target ?? "", `http://page${path}`).pathname
        )
      )
    const others = named.filter(path => !paths.has(path) && !path.endsWith(".d.ts"))
    expect([...new Set(others)]).toEqual(["/docs"])
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

  it("are less than 300 KB of script for a first visit, whichever view it opens", () => {
    const entry = "/assets/app.js"
    const views = [...textAt(entry).matchAll(/import\("\.\/([a-z-]+\.js)"\)/g)].map(
      ([, name]) => `/assets/${name}`
    )
    expect(views).toHaveLength(5)
    for (const view of views) {
      const loaded = loadedBy(view, loadedBy(entry, new Set()))
      const sizes = [...loaded].map(sizeOf)
      const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0)
      const sent = sizes.reduce((sum, size) => sum + size.sent, 0)
      const isCharted = loaded.has("/vendor/lightweight-charts.mjs")
      expect(isCharted).toBe(view === "/assets/desk.js")
      expect(bytes).toBeGreaterThan(40_000)
      expect(bytes).toBeLessThan(isCharted ? 300_000 : 60_000)
      expect(sent).toBeLessThan(isCharted ? 100_000 : 25_000)
    }
  })

  it("keep the chart library's licence and credit", () => {
    const library = staticFiles.find(({ path }) => path === "/vendor/lightweight-charts.mjs")!
    expect(text(library.file).slice(0, 300)).toContain("Apache License 2.0")
    expect(text(library.file)).not.toMatch(/^import|[;}]import[{ ]/m)
    expect(text(staticFiles[0]!.file)).toContain("https://www.tradingview.com/")
  })
})
