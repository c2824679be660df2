/** Clients of a service in the test's own process, and the events that they receive. */
import { Effect } from "effect"
import { TRPCClientError } from "@trpc/client"
import {
  type AppRouter,
  type ClientOptions,
  createTelemetryClient,
  type LiveMessage,
  type TelemetryClient
} from "../../../src/api/trpc/client.ts"
import type { Service } from "../../support/service.ts"

export const clientOf = ({ url }: Pick<Service, "url">, options?: ClientOptions): TelemetryClient =>
  createTelemetryClient(url, options)

/** A call's answer, or the error that it ended with. */
export const outcome = <A>(call: () => Promise<A>) =>
  Effect.promise(async () => {
    try {
      return { data: await call() }
    } catch (error) {
      if (error instanceof TRPCClientError) return { error: error as TRPCClientError<AppRouter> }
      throw error
    }
  })

/** The error that a call ends with. */
export const failure = (call: () => Promise<unknown>) =>
  Effect.map(outcome(call), (ended) => {
    if ("data" in ended) throw new Error(`It was answered: ${JSON.stringify(ended.data)}`)
    const { data, message } = ended.error
    return { message, code: data?.code, status: data?.httpStatus, data }
  })

/** Checks again until it holds; the test's own time limit bounds it. */
export const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.delay(until(holds), "2 millis")))

interface Tracked<A> {
  readonly id: string
  readonly data: A
}

export type TelemetryEvent = Tracked<LiveMessage>
export type LapEvent = Tracked<Extract<LiveMessage, { readonly type: "lap" }>>
export type SessionEvent = Tracked<Extract<LiveMessage, { readonly type: "session" }>>

/** The callbacks of a subscription. */
interface Handlers<A> {
  readonly onStarted: () => void
  readonly onData: (event: A) => void
  readonly onError: (error: TRPCClientError<AppRouter>) => void
}

export interface Subscribed<A> {
  /** Everything so far, in order. */
  readonly events: Array<A>
  readonly errors: ReadonlyArray<TRPCClientError<AppRouter>>
  /** How often its connection was opened. */
  readonly started: () => number
  readonly end: () => void
}

/** Subscribed to until the scope ends; returns when the service has opened it. */
export const subscribed = <A>(subscribe: (handlers: Handlers<A>) => { readonly unsubscribe: () => void }) =>
  Effect.gen(function* () {
    const events: Array<A> = []
    const errors: Array<TRPCClientError<AppRouter>> = []
    let started = 0
    const { unsubscribe } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        subscribe({
          onStarted: () => started++,
          onData: (event) => events.push(event),
          onError: (error) => errors.push(error)
        })
      ),
      (subscription) => Effect.sync(() => subscription.unsubscribe())
    )
    yield* until(() => started > 0 || errors.length > 0)
    return { events, errors, started: () => started, end: unsubscribe } satisfies Subscribed<A>
  })
