/** Sends spans to an OpenTelemetry collector, where the environment names one. */
import { ConfigProvider, Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpSerialization, OtlpTracer } from "effect/observability"
import { optionalText, SettingError } from "./environment.ts"

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"

/** Who names a collector wants it to have spans, without a further setting. */
const usual = ConfigProvider.layerAdd(
  ConfigProvider.fromEnv({ env: { OTEL_TRACES_EXPORTER: "otlp", OTEL_SERVICE_NAME: "swaptape" } })
)

const exporter = (attributes: { readonly [name: string]: string }) =>
  OtlpTracer.layerFromConfig({ resource: { attributes } }).pipe(
    Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer]),
    Layer.provide(usual)
  )

const isAddress = (text: string): boolean => URL.canParse(text) && /^https?:/i.test(text)

/**
 * `OTEL_EXPORTER_OTLP_ENDPOINT` (default none): the collector, by HTTP, to which this thread sends
 * its spans; other `OTEL_…` settings hold as OpenTelemetry has them. Without it there is no tracer,
 * and spans cost nothing. `attributes` say which thread it is.
 */
export const tracing = (attributes: { readonly [name: string]: string }) =>
  Effect.gen(function* () {
    const endpoint = yield* optionalText(ENDPOINT)
    if (endpoint === null) return Layer.empty
    if (isAddress(endpoint)) return exporter(attributes)
    // the address itself may hold a password
    const message = `${ENDPOINT}: it must be a URL that begins with http:// or https://`
    return yield* new SettingError({ message })
  }).pipe(Layer.unwrap)
