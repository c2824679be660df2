/** The limit of open subscriptions. */
import { expect } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { inside, serviceInside } from "../../support/inside.ts"
import { clientOf, subscribed, type TelemetryEvent, until } from "./support.ts"

inside("a subscription beyond the limit is 503 with a sentence, until another has ended", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({ maxSubscriptions: 3 })
    const client = clientOf(running)
    const open = subscribed<TelemetryEvent>((handlers) => client.live.telemetry.subscribe({}, handlers))
    const scope = yield* Scope.make()
    yield* Scope.extend(open, scope)
    yield* open
    yield* open
    const ask = (path: string) => Effect.promise(() => fetch(`${running.url}/trpc/${path}`))
    // Every spelling of a path counts.
    const paths = ["live.telemetry", "live.laps", "live.sessions", "live.connections"]
    for (const path of [...paths, "%6Cive.telemetry", "li%76%65%2Elaps"]) {
      const refused = yield* ask(path)
      expect(refused.status).toBe(503)
      expect(yield* Effect.promise(() => refused.text())).toContain("3 subscriptions are open")
    }
    // Other calls are still answered.
    expect((yield* ask("system.health")).status).toBe(200)
    yield* Scope.close(scope, Exit.void)
    yield* until(() => running.hub.stats().subscribers === 2)
    yield* open
  })
)
