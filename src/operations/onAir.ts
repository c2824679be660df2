/** The session that overlays and the live page show when they name none. */
import { Effect } from "effect"
import { InvalidValue, SessionNotFound } from "../domain/errors.ts"
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
  errors: [InvalidValue, SessionNotFound],
  run: ({ mode, sessionId }) =>
    Effect.gen(function* () {
      if ((mode === "session") !== (sessionId !== null)) {
        const expected = mode === "session" ? "the id of a session" : "null or left out with mode auto"
        return yield* new InvalidValue({ name: "session_id", value: sessionId ?? "null", expected })
      }
      const onAir = yield* OnAirNow
      yield* onAir.choose(sessionId)
      return yield* onAir.current
    })
})
