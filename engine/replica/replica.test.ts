import { expect, it } from "vitest"
import { idBytes } from "../../src/domain/ids.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { projection } from "../projection.ts"
import { type ReplicaView, rowsQuery } from "../query.ts"
import { SlotTable } from "../store/slot-table.ts"
import { table } from "../store/table.ts"
import { ReplicaFeed } from "./feed.ts"
import { Replica } from "./replica.ts"

const names = table({
  name: "names",
  shape: "state",
  key: ["id"],
  columns: {
    id: { type: "u32" },
    address: { type: "account" },
    supply: { type: "f64" },
    note: { type: "text", nullable: true }
  },
  replica: { columns: ["supply", "address"] }
})

const minutes = table({
  name: "minutes",
  shape: "state",
  key: ["id", "t"],
  columns: { id: { type: "u32" }, t: { type: "u32" }, close: { type: "f64" } },
  replica: { columns: ["close"], rows: 64 }
})

const addressOf = (id: number): string => `0x${id.toString(16).padStart(40, "0")}`

/** Closes of an address from a bucket on, its supply, and from when on all buckets are held. */
const closes = (view: ReplicaView, { address, from }: { address: string; from: number }) => {
  const id = view.slotOf(names, "address", idBytes(address))
  if (id < 0) return undefined
  const series = view.series(minutes, id)
  const found: Array<readonly [number, number]> = []
  series?.each(from, 1e9, (rows, at) => found.push([rows[at] as number, rows[at + 1] as number]))
  const supply = view.column(names, "supply")[id]
  return { at: view.seq, count: view.count(names), supply, from: series?.from ?? null, found }
}

/** A lane's tables and the copies of them, joined as the threads are. */
const world = () => {
  const [ids, rows] = [new SlotTable(names), new SlotTable(minutes)]
  const states = [ids, rows] as unknown as ReadonlyArray<SlotTable<never>>
  const feed = new ReplicaFeed(states)
  const query = rowsQuery(
    "closes",
    () => {
      throw new Error("of the lane")
    },
    closes
  )
  const owner = projection({
    name: "owner",
    version: 1,
    tables: [names, minutes],
    uses: [],
    create: () => ({ out: null, apply: () => undefined }),
    queries: [query]
  })
  const replica = new Replica(testChain, [owner])
  const name = (id: number, supply: number) => {
    ids.grow(id + 1)
    ids.columns.id[id] = id
    ids.columns.address.set(idBytes(addressOf(id)), id * 32)
    ids.columns.supply[id] = supply
    ids.touch(id)
  }
  const close = (id: number, t: number, value: number) => {
    rows.grow(id + 1)
    rows.columns.id[id] = id
    if (rows.columns.t[id] !== t) rows.emit(id)
    rows.columns.t[id] = t
    rows.columns.close[id] = value
    rows.touch(id)
  }
  const send = () => {
    for (const one of states) {
      one.collect(1000)
      const found = feed.changes(one, one.versions.count)
      if (found !== null)
        replica.receive({ type: "replica-rows", rows: structuredClone(found.rows) })
      one.versions.clear()
    }
  }
  const commit = (seq: number) =>
    replica.receive({
      type: "replica-position",
      at: { seq, block: seq, blockTime: seq, keptFrom: { raw: 0, minutes: 0 } }
    })
  const anew = () => {
    replica.receive({ type: "replica-forget" })
    for (const { rows: sent } of feed.reset()) replica.receive({ type: "replica-rows", rows: sent })
  }
  const ask = (id: number, from = 0) => {
    const answer = replica.answer({ name: "closes", params: { address: addressOf(id), from } })
    return answer?.ok === true ? JSON.parse(new TextDecoder().decode(answer.body)) : null
  }
  return { name, close, send, commit, anew, ask, replica }
}

it("answers as of the newest commit, and nothing before the first", () => {
  const { name, close, send, commit, anew, ask } = world()
  name(0, 5)
  anew()
  name(1, 7)
  close(1, 60, 1.5)
  close(1, 120, 2.5)
  send()
  expect(ask(1)).toBeNull()
  commit(10)
  const found = [
    [60, 1.5],
    [120, 2.5]
  ]
  expect(ask(1)).toEqual({ at: 10, count: 2, supply: 7, from: 0, found })
  expect(ask(0)).toEqual({ at: 10, count: 2, supply: 5, from: null, found: [] })
  expect(ask(2)).toBeNull()
  name(1, 8)
  close(1, 120, 3.5)
  close(1, 180, 4.5)
  send()
  expect(ask(1)).toEqual({ at: 10, count: 2, supply: 7, from: 0, found })
  commit(11)
  const later = { at: 11, count: 2, supply: 8, from: 0 }
  expect(ask(1)).toEqual({
    ...later,
    found: [
      [60, 1.5],
      [120, 3.5],
      [180, 4.5]
    ]
  })
  expect(ask(1, 120).found).toEqual([
    [120, 3.5],
    [180, 4.5]
  ])
})

it("begins anew with the rows there are, and holds buckets from then on", () => {
  const { name, close, send, commit, anew, ask } = world()
  name(0, 5)
  close(0, 60, 1)
  send()
  anew()
  expect(ask(0)).toBeNull()
  close(0, 60, 2)
  close(0, 120, 3)
  send()
  commit(4)
  const found = [
    [60, 2],
    [120, 3]
  ]
  expect(ask(0)).toEqual({ at: 4, count: 1, supply: 5, from: 60, found })
})
