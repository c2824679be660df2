/**
 * The service that tests ask which know it only from the outside. They run twice: with one of this process, and with
 * one of a supervisor, a recorder and several workers, as the environment says (vitest.config.ts).
 */
import type { Effect, Scope } from "effect"
import { inProcesses, type Service } from "./asking.ts"
import { attached } from "./attached.ts"
import { serviceInside } from "./inside.ts"

export { sending, type Service } from "./asking.ts"

/** With an empty store, for the scope's life. */
export const service = (): Effect.Effect<Service, never, Scope.Scope> =>
  inProcesses ? attached : serviceInside()
