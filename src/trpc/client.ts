/**
 * The service's typed client, for programs and pages (`telemetry-session-service/client`). Of the service it holds
 * types only.
 *
 * Calls made in one turn of the event loop go out as one request, and each is answered as soon as it can be; those for
 * points go alone.
 * Subscriptions are server-sent events: a client that
 * loses its connection opens another and goes on after the last event that it got.
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
/** What `live.telemetry` tells; `live.laps` and `live.sessions` tell those of one `type`. */
export type { LiveMessage } from "../live/messages.ts"
export type TelemetryClient = TRPCClient<AppRouter>
/** What calls take: `Inputs["sessions"]["list"]`. */
export type Inputs = inferRouterInputs<AppRouter>
/** What calls answer: `Outputs["sessions"]["list"]`. */
export type Outputs = inferRouterOutputs<AppRouter>

type EventSourceClass = new (url: string) => InstanceType<typeof FetchEventSource>

/** Longer addresses are refused by servers and proxies on the way; what does not fit goes in another request. */
const MAX_URL = 8000

/**
 * Answers that may be megabytes. tRPC's client reads a streamed batch by lines, and looks through the whole line again
 * with each piece of it: 19 s for 250,000 points, which alone take 2 s (measured).
 */
const LARGE = new Set(["analysis.compareTraced", "telemetry.lap", "telemetry.range"])

const { EventSource = FetchEventSource } = globalThis as unknown as {
  readonly EventSource?: EventSourceClass
}

export interface ClientOptions {
  /** What the service wants to be asked with (`--token`); read for each call, and each connection of a subscription. */
  readonly token?: () => string | undefined
}

/** `url`: of the service, `http://127.0.0.1:8080`; in its own pages it may be empty. */
export const createTelemetryClient = (url: string, { token }: ClientOptions = {}): TelemetryClient => {
  const trpc = `${url.replace(/\/+$/, "")}/trpc`
  const headers = (): Record<string, string> => {
    const given = token?.()
    return given === undefined ? {} : { authorization: `Bearer ${given}` }
  }
  // An EventSource of a browser sends no header of ours.
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
            maxURLLength: MAX_URL,
            maxItems: MAX_BATCH
          })
        })
      })
    ]
  })
}
