/** Requests to a service that runs, by its API. */
import { Data, Duration, Effect } from "effect"

/** The service's own default address. */
export const HERE = "http://127.0.0.1:8080"

/** A service, and its access token, if it has one. */
export interface Target {
  readonly url: string
  readonly token: string | undefined
}

/** The service does not take the file; `isFinal`: nor any other. */
export class ServiceRefused extends Data.TaggedError("ServiceRefused")<{
  readonly sentence: string
  readonly isFinal: boolean
}> {}

/** It does not answer, or not now. */
export class ServiceAway extends Data.TaggedError("ServiceAway")<{ readonly url: string }> {}

/** Whether a service of this kind answers there. */
export const answersAt = (url: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async () => {
    const answer = await fetch(`${url}/api/v1/health`)
    const health = (await answer.json()) as { readonly status?: unknown; readonly version?: unknown }
    return typeof health.status === "string" && typeof health.version === "string"
  }).pipe(
    Effect.timeout(Duration.seconds(3)),
    Effect.orElseSucceed(() => false)
  )

/** Asks the service for a path below `/api/v1`. Answers other than 2xx and 409 fail. */
export const request = ({ token, url }: Target, path: string, init: RequestInit) =>
  Effect.gen(function* () {
    const headers = { ...init.headers, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
    const answer = yield* Effect.tryPromise({
      try: (signal) => fetch(`${url}/api/v1${path}`, { ...init, headers, signal }),
      catch: () => new ServiceAway({ url })
    })
    if (answer.ok || answer.status === 409) return answer
    if (answer.status === 429 || answer.status === 503) return yield* new ServiceAway({ url })
    const detail = yield* Effect.orElseSucceed(
      Effect.tryPromise(async () => ((await answer.json()) as { readonly detail: string }).detail),
      // Of HEAD.
      () => `The service answered ${answer.status}`
    )
    return yield* new ServiceRefused({ sentence: detail, isFinal: [401, 403, 404].includes(answer.status) })
  })
