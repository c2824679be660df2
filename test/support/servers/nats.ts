/** A real nats-server, which a test may kill and start again at the same address. */
import { Effect, Exit, Scope } from "effect"
import { natsServer, startNats } from "../../../tools/provision/nats.ts"
import { freePorts } from "../../../tools/provision/serverProcess.ts"
import type { Need } from "../needing.ts"
import { folder as temporary } from "../processes.ts"

const program = natsServer()

export const natsHere: Need = {
  missing: program === undefined ? "there is no nats-server (it takes Go)" : undefined
}

/** Until the scope ends. `settings`: further lines of its configuration. */
export const nats = Effect.fn(function* (settings?: string) {
  const folder = yield* temporary
  const [port = 0] = yield* Effect.promise(() => freePorts(1))
  let running: Scope.CloseableScope | undefined
  const kill = Effect.suspend(() => (running === undefined ? Effect.void : Scope.close(running, Exit.void)))
  const start = Effect.gen(function* () {
    running = yield* Scope.make()
    const options = { folder, port, ...(settings === undefined ? {} : { settings }) }
    return yield* Effect.orDie(Scope.extend(startNats(program!, options), running))
  })
  yield* Effect.addFinalizer(() => kill)
  const { child, url } = yield* start
  return { url, pid: child.pid!, kill, start: Effect.asVoid(start) }
})
