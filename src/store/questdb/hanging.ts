/**
 * Distinguishes a QuestDB that hangs from one that is slow. While an answer takes long, the service pings the server by
 * HTTP. A server that works on a long query answers the ping immediately.
 */
import { Duration, Effect } from "effect"
import type { StoreUnavailable } from "../../domain/errors.ts"
import { failuresOf } from "../sql/failures.ts"
import { interruptibleWithin } from "../interruptibleWithin.ts"
import { type QuestdbAddress, questdbUrl } from "../../platform/addresses/questdb.ts"

/** With this, the service gives up a hanging server 5 s after the query. */
const LOOK_AFTER = "2 seconds"
const ALIVE_WITHIN = "3 seconds"

export const { unavailable } = failuresOf("questdb")

const signOfLife = (address: QuestdbAddress) =>
  Effect.tryPromise({
    try: async (signal) => {
      await (await fetch(questdbUrl(address, "/ping"), { signal })).arrayBuffer()
    },
    catch: unavailable
  }).pipe(
    Effect.timeoutFail({
      duration: ALIVE_WITHIN,
      onTimeout: () => unavailable(new Error(`it hangs: no sign of life within ${ALIVE_WITHIN}`))
    })
  )

/** Waits for the answer while the server is alive, for `longest` at most. */
export const whileAlive =
  (address: QuestdbAddress, longest: Duration.DurationInput) =>
  <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A, E | StoreUnavailable, R> => {
    const looking = Effect.forever(Effect.delay(signOfLife(address), LOOK_AFTER))
    return Effect.raceFirst(answer, looking).pipe(
      Effect.timeoutFail({
        duration: longest,
        onTimeout: () => unavailable(new Error(`no answer within ${Duration.format(longest)}`))
      }),
      interruptibleWithin
    )
  }
