/**
 * The service's typed client, for programs and pages (`telemetry-session-service/client`). It imports only types from
 * the service.
 *
 * Calls made in one turn of the event loop are sent as one request, and each is answered as soon as its answer is
 * ready; calls for points are sent alone. Subscriptions are server-sent events: a client that loses its connection
 * opens another and goes on after the last event that it got.
 */
import {
  createTRPCClient,
  httpBatchStreamLink,
  httpLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClient
} from "@trpc/client"
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server"
import { FetchEventSource } from "./FetchEventSource.ts"
import { MAX_BATCH } from "./limits.ts"
import type { AppRouter } from "./router.ts"

export type { AppRouter }
/** A message of `live.telemetry`; `live.laps` and `live.sessions` send the messages of one `type`. */
export type { LiveMessage } from "../../live/hub/messages.ts"
export type TelemetryClient = TRPCClient<AppRouter>
/** The inputs of calls: `Inputs["sessions"]["list"]`. */
export type Inputs = inferRouterInputs<AppRouter>
/** The answers of calls: `Outputs["sessions"]["list"]`. */
export type Outputs = inferRouterOutputs<AppRouter>

type EventSourceClass = new (url: string) => InstanceType<typeof FetchEventSource>

/** Servers and proxies on the way refuse longer addresses; calls that do not fit go in another request. */
const MAX_URL = 8000

/**
 * Calls whose answers may be megabytes. tRPC's client reads a streamed batch by lines, and searches the whole line
 * again for each piece of it: 19 s for 250,000 points, which take 2 s as a request of their own (measured).
 */
const LARGE = new Set(["analysis.compareTraced", "telemetry.lap", "telemetry.range"])

const { EventSource = FetchEventSource } = globalThis as unknown as {
  readonly EventSource?: EventSourceClass
}

export interface ClientOptions {
  /** The service's token (`--token`); read for each call, and for each connection of a subscription. */
  readonly token?: () => string | undefined
  /** Makes the requests of batches; by default the platform's own. */
  readonly fetch?: typeof globalThis.fetch
}

/** `url` is the service's, such as `http://127.0.0.1:8080`; in the service's own pages it may be empty. */
export const createTelemetryClient = (
  url: string,
  { fetch: requested, token }: ClientOptions = {}
): TelemetryClient => {
  const trpc = `${url.replace(/\/+$/, "")}/trpc`
  const headers = (): Record<string, string> => {
    const given = token?.()
    return given === undefined ? {} : { authorization: `Bearer ${given}` }
  }
  // A browser's EventSource cannot send our header.
  const subscribed = () => {
    const given = token?.()
    return given === undefined ? trpc : `${trpc}?token=${encodeURIComponent(given)}`
  }
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: httpSubscriptionLink({ url: subscribed, EventSource }),
        false: splitLink({
          condition: ({ path }) => LARGE.has(path),
          true: httpLink({ url: trpc, headers }),
          false: httpBatchStreamLink({
            url: trpc,
            headers,
            ...(requested && { fetch: (address, init) => requested(address, init as RequestInit) }),
            maxURLLength: MAX_URL,
            maxItems: MAX_BATCH
          })
        })
      })
    ]
  })
}
