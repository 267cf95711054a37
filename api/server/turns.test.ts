/** Requests of many at once: nobody keeps others waiting by what he sends in one piece. */
import { connect } from "node:net"
import { afterEach, expect, it } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { requestText } from "../../test/support/raw-http.ts"
import { Turns } from "./turns.ts"

let api: TestApi | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

const turn = () => new Promise(resolve => setImmediate(resolve))

it("lets requests of one turn go on until its time is used up, and the others in their order", async () => {
  let nowMs = 0
  const busy = (milliseconds: number) => {
    nowMs += milliseconds
  }
  const turns = new Turns(() => nowMs)
  const done: Array<string> = []
  expect([turns.isOver, turns.isOver]).toEqual([false, false])
  busy(12)
  expect(turns.isOver).toBe(true)
  for (const name of ["a", "b", "c"]) {
    turns.wait(() => {
      done.push(name)
      busy(name === "b" ? 12 : 0)
    })
  }
  expect(done).toEqual([])
  await turn()
  expect(done).toEqual(["a", "b"])
  // whoever comes now is behind those that wait
  expect(turns.isOver).toBe(true)
  turns.wait(() => done.push("d"))
  await turn()
  expect(done).toEqual(["a", "b", "c", "d"])
  expect(turns.isOver).toBe(false)
})

it("runs work that comes in a turn without requests, and lets those that follow go on", async () => {
  const turns = new Turns(() => 0)
  expect(turns.isOver).toBe(false)
  await turn()
  const done: Array<string> = []
  // a postponed request's body, which comes turns later
  turns.wait(() => done.push("body"))
  await turn()
  expect(done).toEqual(["body"])
  expect(turns.isOver).toBe(false)
})

/** Sends requests in one piece; returns the statuses that came until the connection was closed. */
const flood = (port: number, text: string, requests: number): Promise<ReadonlyArray<string>> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1")
    let answer = ""
    socket.setEncoding("latin1")
    socket.on("data", (data: string) => {
      answer += data
    })
    socket.on("error", error => {
      // the server closes while requests are on their way
      if (!["ECONNRESET", "EPIPE"].includes(String("code" in error && error.code))) reject(error)
    })
    socket.on("close", () => resolve(answer.match(/HTTP\/1\.1 \d{3}/g) ?? []))
    socket.write(text.repeat(requests))
  })

it("closes a connection that asks for thousands of answers at once, and answers the next one", async () => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))])
  const requests = 20_000
  const statuses = await flood(api.port, requestText("GET /v1/health"), requests)
  expect(statuses.length).toBeLessThan(requests / 2)
  expect(statuses.filter(status => status !== "HTTP/1.1 200")).toEqual([])
  expect((await fetch(`${api.url}/v1/health`)).status).toBe(200)
  await expect.poll(() => api?.counters.active).toBe(0)
})

it("ends the connection of an upgrade that is refused", async () => {
  api = await startApi([new FakeLane(chainConfig(8453, "base"))], { live: { maxConnections: 0 } })
  const upgrade = requestText(
    "GET /v1/ws/live",
    "connection: upgrade",
    "upgrade: websocket",
    "sec-websocket-version: 13",
    "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="
  )
  const requests = 20_000
  const statuses = await flood(api.port, upgrade, requests)
  expect(statuses.length).toBeLessThan(requests / 2)
  expect(statuses.filter(status => status !== "HTTP/1.1 503")).toEqual([])
})
