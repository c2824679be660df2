import { Otlp } from "@effect/opentelemetry"
import { FetchHttpClient } from "@effect/platform"
import { Layer } from "effect"
import { version } from "../version.ts"

/**
 * Traces, metrics and logs by OTLP/HTTP to `endpoint`, without the OpenTelemetry SDK. "none" sends nothing,
 * and switches the tracer off, which costs a fifth of a request's CPU (notes of measurements).
 */
export const layer = (endpoint: string): Layer.Layer<never> =>
  endpoint === "none"
    ? Layer.setTracerEnabled(false)
    : Otlp.layerJson({
        baseUrl: endpoint,
        resource: { serviceName: "telemetry-session-service", serviceVersion: version }
      }).pipe(Layer.provide(FetchHttpClient.layer))
