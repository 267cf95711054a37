import { ConfigProvider, Effect, Tracer } from "effect"
import { expect, it } from "vitest"
import { localServer } from "../../test/support/local-http.ts"
import { tracing } from "./tracing.ts"

/** Runs with the tracer that an environment asks for. */
const traced = <A>(env: { readonly [name: string]: string }, program: Effect.Effect<A>) =>
  program.pipe(
    Effect.provide(tracing({ "swaptape.thread": "lane base" })),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
  )

const span = Effect.withSpan(Effect.void, "lane commit", { attributes: { "swaptape.seq": 7 } })

it("makes no tracer where no collector is named", async () => {
  const tracer = await Effect.runPromise(traced({}, Effect.service(Tracer.Tracer)))
  expect(tracer).toBe(Tracer.nativeTracer)
})

it("sends spans to the collector, at the latest when it ends", async () => {
  const collector = await localServer(() => ({ body: {} }))
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=markets"
  }
  await Effect.runPromise(traced(env, span))
  await collector.close()
  const [{ path = "", headers = {}, body = "" } = {}] = collector.requests
  expect([path, headers["x-team"]]).toEqual(["/v1/traces", "markets"])
  const [{ resource, scopeSpans }] = JSON.parse(body).resourceSpans
  expect(resource.attributes).toEqual(
    expect.arrayContaining([
      { key: "service.name", value: { stringValue: "swaptape" } },
      { key: "swaptape.thread", value: { stringValue: "lane base" } }
    ])
  )
  expect(scopeSpans[0].spans).toMatchObject([
    { name: "lane commit", attributes: [{ key: "swaptape.seq", value: { intValue: 7 } }] }
  ])
})

it("does its work where the collector is gone", async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
    OTEL_EXPORTER_OTLP_TIMEOUT: "100"
  }
  expect(await Effect.runPromise(traced(env, Effect.as(span, "done")))).toBe("done")
})

it("refuses what is no address, without showing it", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "user:secret@collector" }
  const error = await Effect.runPromise(Effect.flip(traced(env, span)))
  expect(error.message).toBe(
    "OTEL_EXPORTER_OTLP_ENDPOINT: it must be a URL that begins with http:// or https://"
  )
})
