import { expect, it } from "vitest"
import { randomEvents } from "../test/support/random-events.ts"
import { seed } from "../test/support/seed.ts"
import { batchOf, eventsOf } from "./event-objects.ts"
import { EventViews } from "./event-view.ts"

it("tells of each event what its object tells, in whatever order they are looked at", () => {
  const views = new EventViews()
  for (let run = 0; run < 3; run++) {
    const batch = batchOf(randomEvents(seed, run, 300))
    const objects = eventsOf(batch)
    const seen = objects.map((_, index) => ({ ...views.at(batch, index) }))
    expect(seen).toEqual(objects)
    for (let index = objects.length - 1; index >= 0; index -= 7) {
      expect({ ...views.at(batch, index) }).toEqual(objects[index])
    }
  }
})

it("names an event's fields as its object does", () => {
  const views = new EventViews()
  const batch = batchOf(randomEvents(seed, 9, 200))
  for (const [index, object] of eventsOf(batch).entries()) {
    expect(Object.keys(views.at(batch, index)).sort()).toEqual(Object.keys(object).sort())
  }
})
