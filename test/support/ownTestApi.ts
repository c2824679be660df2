/**
 * `layer` of @effect/vitest writes its `it.effect` and `it.scoped` into the one `it` that all files of a process share: the next
 * file's tests would have the services of a closed layer, and the machine's clock in place of the TestClock. So before
 * each file (vitest runs this then) `it` is given its own methods again.
 */
import { it } from "@effect/vitest"

const { effect, flakyTest, layer, prop, scoped } = it
type Methods = Pick<typeof it, "effect" | "flakyTest" | "layer" | "prop" | "scoped">

const kept = globalThis as typeof globalThis & { ownTestApi?: Methods }

kept.ownTestApi ??= { effect, flakyTest, layer, prop, scoped }
Object.assign(it, kept.ownTestApi)
