/** Ends our programs, in order or when they cannot go on: then with one sentence on standard error, and a status. */
import { defaultTeardown, makeRunMain } from "@effect/platform/Runtime"
import { Console, Effect } from "effect"
import type { Unread } from "./commandLine.ts"
import { givenName, onStopMessage } from "./processes.ts"
import { flushed } from "./standardStreams.ts"
import { abandonThreads } from "./threads/abandon.ts"
import { slices } from "./threads/SlicedScheduler.ts"

/** The command line cannot be used (contract, section 6). */
export const UNUSABLE = 2
/** Something failed later. */
export const FAILED = 1

export const quit = (status: number, sentence: string) =>
  Effect.zipRight(
    Console.error(sentence),
    Effect.sync(() => {
      process.exitCode = status
    })
  )

/** Prints the requested help or version, or the fault in the command line. */
export const answering = <A, R>(program: Effect.Effect<A, Unread, R>) =>
  Effect.catchTags(program, {
    HelpWanted: ({ text }) => Console.log(text),
    VersionWanted: () =>
      Effect.flatMap(
        Effect.promise(() => import("./version.ts")),
        ({ version }) => Console.log(version)
      ),
    BadUsage: ({ sentence }) => quit(UNUSABLE, sentence)
  })

/**
 * How a program gives up if it does not end after a signal: a store that fails for good must not keep the process
 * forever.
 */
export interface GivingUp {
  /** Counted from the signal; a second Ctrl+C ends the process immediately. */
  readonly withinMs: number
  /** Does what must be done in any case. Returns a sentence about what is lost; empty if nothing is. */
  readonly lost: () => string
}

let givingUp: GivingUp = { withinMs: 10_000, lost: () => "" }

export const giveUpStopping = (how: GivingUp): void => {
  givingUp = how
}

/** A thread waits for a lock for less time than this. A call that takes longer does not return. */
const THREADS_END_WITHIN_MS = 1000

const giveUp = async (): Promise<void> => {
  const { lost, withinMs } = givingUp
  console.error(`Did not end within ${withinMs / 1000} s of the signal to stop. ${lost()}`.trimEnd())
  if (await abandonThreads(THREADS_END_WITHIN_MS)) process.exit(FAILED)
  // Any other way of ending waits for the threads.
  process.kill(process.pid, "SIGKILL")
}

/** How long a program that ends waits for a terminal or a reader to take its last lines. */
const FLUSHED_WITHIN_MS = 1000

/**
 * How often the parent is checked: often enough for a user who waits for the end, and rarely enough to cost nothing.
 */
const PARENT_EVERY_MS = 1000

/** tools/run-node.mjs sets this variable if it stays as the parent of the program that it starts. */
const UNDER_STARTER = "TELEMETRY_UNDER_STARTER"

/**
 * Calls `stop` when the parent is gone. npm and npx start a program through a shell, and end only that shell: the
 * program would run on, with another parent. The same would happen if tools/run-node.mjs were killed. A program that a
 * shell or a supervisor starts directly may outlive it, like a daemon.
 */
const endWithParent = (stop: () => void): void => {
  const endsWithIt = process.env["npm_lifecycle_event"] ?? process.env[UNDER_STARTER]
  // The variable is for this process only, and is not a setting.
  delete process.env[UNDER_STARTER]
  // A process with a channel to its parent learns of the parent's end through the channel, and ends in its own order.
  if (endsWithIt === undefined || process.send !== undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    stop()
  }, PARENT_EVERY_MS).unref()
}

/**
 * Calls `stop` when somebody wants the process to end, perhaps more than once. A second Ctrl+C ends it immediately.
 *
 * A process that a supervisor started ends only when the supervisor asks it to, or is gone. Ctrl+C and systemd signal
 * every process of a group. If each process ended by itself, a supervisor that has not yet received the signal would
 * start it again, and the recorder would end before the workers.
 */
const onStop = (stop: () => void): void => {
  // `stop` may be called again here: a group's SIGTERM can come a second time through our process that started this
  // one. Unlike a second Ctrl+C, it does not mean that the process must end immediately.
  process.on("SIGTERM", () => givenName === undefined && stop())
  // SIGHUP: the terminal was closed; Windows then gives the process some ten seconds. SIGBREAK: Ctrl+Break, on Windows
  // only.
  const signals = ["SIGINT", "SIGHUP", "SIGBREAK"] as const
  if (givenName === undefined) {
    for (const signal of signals) process.once(signal, stop)
    return endWithParent(stop)
  }
  for (const signal of signals) process.on(signal, ignore)
  onStopMessage(() => {
    for (const signal of signals) process.off(signal, ignore)
    stop()
  })
}

const ignore = (): void => undefined

const runMain = makeRunMain(({ fiber, teardown }) => {
  // The event loop runs until the program has ended.
  const alive = setInterval(ignore, 2 ** 31 - 1)
  let isStopped = false
  onStop(() => {
    if (isStopped) return
    isStopped = true
    setTimeout(giveUp, givingUp.withinMs).unref()
    fiber.unsafeInterruptAsFork(fiber.id())
  })
  fiber.addObserver((exit) => {
    clearInterval(alive)
    teardown(exit, (code) => {
      if (isStopped || code !== 0) process.exit(code)
    })
  })
})

/**
 * Runs a program as the process. When the program ends, the process ends with the status that `quit` set, even if something
 * still keeps it alive, such as a worker's channel to its primary.
 */
export const runProgram = <E, A>(program: Effect.Effect<A, E>) =>
  runMain(Effect.withScheduler(program, slices), {
    disablePrettyLogger: true,
    teardown: (exit, onExit) =>
      defaultTeardown(exit, (code) => {
        void flushed(FLUSHED_WITHIN_MS).then(() => onExit(code || Number(process.exitCode ?? 0)))
      })
  })
