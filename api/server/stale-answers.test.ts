/** A stale answer is given while one fresh answer is made, and not for longer than it may be. */
import { Deferred, Effect } from "effect"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { startApi, type TestApi } from "../../test/support/api-server.ts"
import { chainConfig, FakeLane } from "../../test/support/fake-lanes.ts"
import { RouteMeter } from "../route-meters.ts"
import { answerOf } from "./answer.ts"
import { AnswerCache, type CachedAnswer } from "./answer-cache.ts"

/** A lane whose answers wait for a signal. */
class SlowLane extends FakeLane {
  gate: Deferred.Deferred<void> | null = null
  override readonly query: FakeLane["query"]

  constructor(...given: ConstructorParameters<typeof FakeLane>) {
    super(...given)
    const lane = new FakeLane(...given)
    this.query = request =>
      Effect.suspend(() => {
        lane.state = this.state
        lane.respond = this.respond
        this.requests.push(request)
        const wait = this.gate === null ? Effect.void : Deferred.await(this.gate)
        return Effect.andThen(wait, lane.query(request))
      })
  }
}

const lane = new SlowLane(chainConfig(8453, "base"))
let api: TestApi
beforeAll(async () => {
  // it stands still: an answer is given for a second after it was last true, however long that takes
  vi.useFakeTimers({ toFake: ["Date"] })
  api = await startApi([lane])
})
afterAll(async () => {
  vi.useRealTimers()
  await api.close()
})

it("gives a stale /tokens/stats while one fresh one is made", async () => {
  const url = `${api.url}/v1/tokens/stats/0x${"ab".repeat(20)}?chain=8453`
  const read = async () => {
    const response = await fetch(url)
    const { headers } = response
    return [await response.json(), headers.get("x-log-seq"), headers.get("cache-control")]
  }
  const control = "max-age=0, stale-while-revalidate=1"
  lane.respond = () => ({ is: "old" })
  expect(await read()).toEqual([{ is: "old" }, "1", control])
  lane.commit(2)
  lane.respond = () => ({ is: "new" })
  const gate = Deferred.makeUnsafe<void>()
  lane.gate = gate
  const asked = lane.requests.length
  for (const _ of [1, 2, 3]) expect(await read()).toEqual([{ is: "old" }, "1", control])
  Deferred.doneUnsafe(gate, Effect.void)
  await expect.poll(read).toEqual([{ is: "new" }, "2", control])
  expect(lane.requests.length - asked).toBe(1)
})

it("forgets how long an answer may be out of date from when it was last true", () => {
  let now = 1000
  const cache = new AnswerCache({ maxBytes: 10_000, maxEntries: 10 }, () => now)
  const kept: CachedAnswer = {
    answer: answerOf({
      status: "200 OK",
      headers: [],
      contentType: null,
      etag: null,
      encodings: null,
      body: new Uint8Array(1)
    }),
    bucket: "default",
    meter: new RouteMeter("/v1/x")
  }
  let isTrue = true
  cache.set("/a", kept, () => isTrue, 1000)
  cache.set("/b", kept, () => isTrue)
  now = 5000
  expect(cache.get("/a")).toBeDefined()
  isTrue = false
  now = 6000
  expect([cache.get("/a"), cache.stale("/a")?.answer]).toEqual([undefined, kept.answer])
  expect(cache.stale("/b")).toBeUndefined()
  now = 6001
  expect(cache.stale("/a")).toBeUndefined()
  // set back: nobody knows how old it is
  now = 4000
  expect(cache.stale("/a")).toBeUndefined()
})
