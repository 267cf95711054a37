/** Writes the tables of chains and venues of docs/chains.md from the registry. */
import type { ChainConfig, ChainVenue } from "../domain/chain.ts"
import { shownChain } from "../domain/shown-chain.ts"

const row = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** Returns a table aligned as the formatter would align it, so that it changes nothing. */
const table = (
  headings: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>
): string => {
  const lines = [headings, ...rows].map(cells => cells.map(String))
  const widths = headings.map((_, i) => Math.max(3, ...lines.map(cells => cells[i]?.length ?? 0)))
  const padded = lines.map(cells => row(cells.map((cell, i) => cell.padEnd(widths[i] ?? 0))))
  const [first = "", ...rest] = padded
  return [first, row(widths.map(width => "-".repeat(width))), ...rest].join("\n")
}

const idsOf = (venues: ReadonlyArray<ChainVenue>): ReadonlyArray<string> => [
  ...new Set(venues.map(({ id }) => id))
]

const anchorsOf = ({ anchors }: ChainConfig): string =>
  anchors.map(({ symbol }) => symbol.replaceAll("|", "\\|")).join(", ")

const chainRow = (chain: ChainConfig): ReadonlyArray<string | number> => [
  chain.name,
  shownChain(chain),
  `\`${chain.key}\``,
  chain.native.symbol,
  anchorsOf(chain),
  idsOf(chain.venues).length,
  idsOf(chain.candidates ?? []).length,
  chain.routers.length + (chain.settlements?.length ?? 0),
  chain.finalityDepth,
  chain.ingestFloorUsd === undefined ? "-" : `$${chain.ingestFloorUsd}`
]

const chainHeadings = [
  ...["chain", "id", "key", "native", "dollar anchors, then native and other ones"],
  ...["venues", "unproven", "routers", "finality, blocks", "floor"]
]

/** Returns a row for each venue with its chains; `?` marks a chain that must still prove it. */
const venueRows = (chains: ReadonlyArray<ChainConfig>): ReadonlyArray<ReadonlyArray<string>> => {
  const places = new Map<string, Array<string>>()
  for (const { key, venues, candidates = [] } of chains) {
    const told = [
      ...venues.map(({ kind, id }) => [`${kind} ${id}`, key] as const),
      ...candidates.map(({ kind, id }) => [`${kind} ${id}`, `${key}?`] as const)
    ]
    for (const [venue, place] of told) {
      const known = places.get(venue) ?? []
      places.set(venue, known)
      if (!known.includes(place)) known.push(place)
    }
  }
  return [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([venue, where]) => {
      const [kind = "", id = ""] = venue.split(" ")
      return [`\`${id}\``, kind, where.join(", ")]
    })
}

const OPEN = "<!-- tables: written by `npm run tables` from src/domain/chains -->"
const CLOSE = "<!-- /tables -->"

/** Returns the tables as Markdown. */
export const tablesText = (chains: ReadonlyArray<ChainConfig>): string => {
  const venues = venueRows(chains)
  return [
    table(chainHeadings, chains.map(chainRow)),
    `<details>\n<summary>${venues.length} venues by kind and chain</summary>`,
    table(["venue", "kind", "chains"], venues),
    "</details>"
  ].join("\n\n")
}

/** Returns the text with the tables between their marks; null where the text has no marks. */
export const withTables = (text: string, chains: ReadonlyArray<ChainConfig>): string | null => {
  const [from, to] = [text.indexOf(OPEN), text.indexOf(CLOSE)]
  if (from < 0 || to < from) return null
  const head = text.slice(0, from + OPEN.length)
  return `${head}\n\n${tablesText(chains)}\n\n${text.slice(to)}`
}
