/** What the skeleton of a venue of Solana has besides its name. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"

/** @param {string} text */
const sha256 = text => createHash("sha256").update(text).digest()

/**
 * The program of a skeleton, which no chain has: 32 bytes that follow from its name.
 *
 * @param {string} name
 */
const madeProgram = async name => {
  const { getAddressDecoder } = await import("@solana/kit")
  return getAddressDecoder().decode(sha256(`swaptape:${name}`))
}

/**
 * Words of the templates: the venue's number, a made program, and the account that its calls to
 * itself list.
 *
 * @type {(name: string, root: string) => Promise<Record<string, string>>}
 */
export const solanaWords = async (name, root) => {
  const { getProgramDerivedAddress } = await import("@solana/kit")
  const list = readFileSync(join(root, "streams/solana/venues.ts"), "utf8")
  const venues = list.match(/^import .* from "\.\/.+\/venue\.ts"$/gm) ?? []
  const program = await madeProgram(name)
  const seeds = ["__event_authority"]
  const [authority] = await getProgramDerivedAddress({ programAddress: program, seeds })
  return { number: `${venues.length + 1}`, program, authority }
}

/**
 * The text with Anchor's discriminators of the names of events and instructions.
 *
 * @param {string} text
 */
export const withDiscriminators = text =>
  text.replaceAll(
    /"((?:event|global):\w+)"/g,
    (_, named) => `"${sha256(named).toString("hex").slice(0, 16)}"`
  )

/**
 * The registry's lines with a row for the venue, which its program is in.
 *
 * @type {(lines: string[], row: { id: string, kind: string, factory: string }) => string[]}
 */
export const withVenueRow = (lines, { id, kind, factory }) => {
  const begin = lines.indexOf("  venues: [")
  const end = lines.indexOf("  ],", begin)
  if (begin < 0 || end < 0) throw new Error("no line begins the venues")
  const row = [`      id: "${id}",`, `      kind: "${kind}",`, `      factory: "${factory}"`]
  return lines.toSpliced(end - 1, 1, "    },", "    {", ...row, "    }")
}
