/**
 * The service for tests that know it only from the outside. They run three times, as the environment selects (vitest.config.ts): with one
 * in this process, with one of a supervisor, a recorder and several workers, and with several nodes of a cluster.
 */
import { Effect, type Scope } from "effect"
import { kind, type Service } from "./asking.ts"
import { attached } from "./attached.ts"
import { serviceInside } from "./inside.ts"

export { sending, type Service } from "./asking.ts"

/** Loaded where it is wanted: it looks for servers that other tests do without. */
const anyNode = Effect.flatMap(
  Effect.promise(() => import("./nodes.ts")),
  (nodes) => nodes.anyNode
)

const services = { inside: serviceInside(), workers: attached, nodes: anyNode }

/** A service with an empty store, until the scope ends. */
export const service = (): Effect.Effect<Service, never, Scope.Scope> => services[kind]
