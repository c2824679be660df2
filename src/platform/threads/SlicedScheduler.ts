/**
 * Runs fibers in slices: in one turn of the event loop they have SLICE_MS, and what is left waits for the next turn, in order.
 *
 * Effect's own scheduler runs all fibers that are due before the event loop turns again. Clients from outside can make a
 * thousand of them due at once (they leave together, or wait in vain for as long), and each costs up to a millisecond: live
 * clients and simulators would wait for all of them.
 *
 * Guarantees: what becomes due runs in that order, whatever its priority, which nothing here sets. Each turn runs one task at
 * least. A task is not cut: until it waits or yields, a fiber keeps the event loop.
 */
import type { RuntimeFiber } from "effect/Fiber"
import { defaultScheduler, type Scheduler, type Task } from "effect/Scheduler"

/** Far below what a live client would notice, and long enough that the turns themselves cost little. */
const SLICE_MS = 4

export class SlicedScheduler implements Scheduler {
  #due: Array<Task> = []
  /** The index of the first that has not run. */
  #next = 0
  /** When the slice of this turn ends; undefined if no fiber has run in it. */
  #end: number | undefined
  #isRunDue = false

  shouldYield(fiber: RuntimeFiber<unknown, unknown>): number | false {
    return defaultScheduler.shouldYield(fiber)
  }

  scheduleTask(task: Task): void {
    this.#due.push(task)
    if (this.#isRunDue) return
    this.#isRunDue = true
    queueMicrotask(this.#run)
  }

  readonly #run = () => {
    const now = performance.now()
    if (this.#end === undefined) {
      this.#end = now + SLICE_MS
      setImmediate(this.#turn)
    } else if (now > this.#end) return
    while (this.#next < this.#due.length) {
      this.#due[this.#next++]!()
      if (performance.now() > this.#end) break
    }
    if (this.#next < this.#due.length) return
    this.#due = []
    this.#next = 0
    this.#isRunDue = false
  }

  readonly #turn = () => {
    this.#end = undefined
    if (!this.#isRunDue) return
    this.#due = this.#due.slice(this.#next)
    this.#next = 0
    this.#run()
  }
}

/** That of the process: all its fibers, and requests that arrive, share one slice. */
export const slices = new SlicedScheduler()
