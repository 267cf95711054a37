/** Which code runs: a digest that changes with the sources. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"

/** A SHA-256, in hex, of all sources in folders below a root, tests and laws aside. */
export const digestOfSources = (root: URL, folders: ReadonlyArray<string>): string => {
  const hash = createHash("sha256").update(process.version)
  for (const folder of folders) {
    const names = readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    for (const name of names.sort()) {
      if (!name.endsWith(".ts") || /\.(test|laws)\.ts$/.test(name)) continue
      hash.update(`\n${folder}/${name}\n`).update(readFileSync(new URL(`${folder}/${name}`, root)))
    }
  }
  return hash.digest("hex")
}
