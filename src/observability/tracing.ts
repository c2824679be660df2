import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as HttpClient from "@effect/platform/HttpClient"
import { RequestError } from "@effect/platform/HttpClientError"
import * as HttpMiddleware from "@effect/platform/HttpMiddleware"
import { Effect, Layer, RuntimeFlags } from "effect"
import { version } from "../platform/version.ts"

/**
 * Turns tracing off. Otherwise, even without a tracer, the platform's HTTP server would parse the address of each
 * request, hide its secrets and write everything on a span that is never exported: a fifth of a request's CPU. Effect
 * would also count its fibers, which only OTLP would export (prometheus.ts leaves them out).
 */
const off = Layer.mergeAll(
  Layer.setTracerEnabled(false),
  RuntimeFlags.disableRuntimeMetrics,
  Layer.locallyScoped(HttpMiddleware.currentTracerDisabledWhen, () => true)
)

/**
 * The time limit of the last export: below the default of --stop-within, and longer than a busy machine takes for a
 * request.
 */
const SHUTDOWN_TIMEOUT = "8 seconds"

/**
 * Limits the requests to a collector that accepts them and never answers: every thousand spans make another request.
 * After a few failures the exporter drops everything for a minute.
 */
const ANSWERED_WITHIN = "5 seconds"

const client = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(
    HttpClient.HttpClient,
    HttpClient.transform((answer, request) =>
      Effect.timeoutFail(answer, {
        duration: ANSWERED_WITHIN,
        onTimeout: () => new RequestError({ request, reason: "Transport", description: "no answer" })
      })
    )
  )
).pipe(Layer.provide(FetchHttpClient.layer))

/** Removes name and password from the address: fetch does not accept them there, and errors print the address. */
const withoutCredentials = (endpoint: string) => {
  const url = new URL(endpoint)
  const credentials = [url.username, url.password].map(decodeURIComponent).join(":")
  url.username = url.password = ""
  return {
    baseUrl: url.href.replace(/\/$/, ""),
    headers:
      credentials === ":" ? {} : { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` }
  }
}

const sending = async (endpoint: string): Promise<Layer.Layer<never>> => {
  // The module is loaded only if it is used, and not through its package's index, which loads the OpenTelemetry SDK.
  const { layerJson } = await import("@effect/opentelemetry/Otlp")
  const resource = { serviceName: "telemetry-session-service", serviceVersion: version }
  return Layer.provide(
    layerJson({ ...withoutCredentials(endpoint), resource, shutdownTimeout: SHUTDOWN_TIMEOUT }),
    client
  )
}

/** Traces, metrics and logs by OTLP/HTTP to `endpoint`, without the OpenTelemetry SDK; "none" sends nothing. */
export const layer = (endpoint: string): Layer.Layer<never> =>
  endpoint === "none" ? off : Layer.unwrapEffect(Effect.promise(() => sending(endpoint)))
