/**
 * Runs fibers in slices: in one turn of the event loop they have SLICE_MS, and the rest waits for the next turn, in
 * order.
 *
 * Effect's own scheduler runs all fibers that are due before the event loop turns again. Clients can make a thousand of
 * them due together (the clients leave together, or their waits time out together), and each costs up to a millisecond:
 * live clients and simulators would wait for all of them.
 *
 * Guarantees: tasks run in the order in which they become due, whatever their priority, which this program never sets.
 * Each turn runs at least one task. A task is not interrupted: until it waits or yields, a fiber keeps the event loop.
 */
import type { RuntimeFiber } from "effect/Fiber"
import { defaultScheduler, type Scheduler, type Task } from "effect/Scheduler"

/** Far below what a live client would notice, and long enough that the turns themselves cost little. */
const SLICE_MS = 4

export class SlicedScheduler implements Scheduler {
  #due: Array<Task> = []
  /** The index of the first task that has not run. */
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

/** The scheduler of the process: all its fibers, and requests that arrive, share one slice. */
export const slices = new SlicedScheduler()
