/** The session that overlays and the live page show when they name none. */
import { Effect } from "effect"
import { SessionNotFound } from "../domain/errors.ts"
import { OnAir, OnAirChoice } from "../domain/OnAir.ts"
import { OnAirNow } from "../live/OnAirNow.ts"
import { fromWire } from "../platform/wire.ts"
import { answered, Nothing } from "./operation.ts"

/** The body that chooses it. */
export const OnAirBody = fromWire(OnAirChoice)

export const read = answered({
  input: Nothing,
  answer: OnAir,
  errors: [],
  run: () => Effect.flatMap(OnAirNow, ({ current }) => current)
})

/** Answers with the session on air from now on. */
export const choose = answered({
  input: OnAirBody,
  answer: OnAir,
  errors: [SessionNotFound],
  run: ({ mode, sessionId }) =>
    Effect.gen(function* () {
      const onAir = yield* OnAirNow
      const kept = Effect.map(onAir.current, (now) => now.sessionId)
      yield* onAir.choose(mode === "auto" ? null : (sessionId ?? (yield* kept)))
      return yield* onAir.current
    })
})
