/** Discriminators of Anchor's programs, worked out of the names that venues declare. */
import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { solanaVenues } from "./venues.ts"

const discriminator = (space: "event" | "global", name: string): string =>
  createHash("sha256").update(`${space}:${name}`).digest("hex").slice(0, 16)

const anchored = solanaVenues.filter(({ tagBytes }) => tagBytes === 8)

it.each(anchored.map(venue => [venue.name, venue] as const))("of %s", (_, venue) => {
  const { swapCalls, swapEvents, poolCalls, poolEvents } = venue
  const declared = [
    ...[swapEvents, poolEvents].map(all => ["event", all] as const),
    ...[swapCalls, poolCalls].map(all => ["global", all] as const)
  ].flatMap(([space, all]) =>
    Object.entries(all).map(([tag, { name }]) => [name, tag, discriminator(space, name)])
  )
  expect(declared.length).toBeGreaterThan(1)
  for (const [name, tag, computed] of declared) expect([name, tag]).toEqual([name, computed])
})
