/**
 * The service for tests that know it only from the outside. They run twice: with one in this process, and with
 * one of a supervisor, a recorder and several workers, as the environment selects (vitest.config.ts).
 */
import type { Effect, Scope } from "effect"
import { inProcesses, type Service } from "./asking.ts"
import { attached } from "./attached.ts"
import { serviceInside } from "./inside.ts"

export { sending, type Service } from "./asking.ts"

/** A service with an empty store, until the scope ends. */
export const service = (): Effect.Effect<Service, never, Scope.Scope> =>
  inProcesses ? attached : serviceInside()
