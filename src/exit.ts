/** How a program of ours ends when it cannot go on: one sentence on standard error, and a status. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { defaultTeardown } from "@effect/platform/Runtime"
import { Console, Effect } from "effect"
import type { Unread } from "./commandLine.ts"
import { abandonThreads } from "./threads/abandon.ts"

/** The command line cannot be used (contract, section 6). */
export const UNUSABLE = 2
/** Something failed afterwards. */
export const FAILED = 1

export const quit = (status: number, sentence: string) =>
  Effect.zipRight(
    Console.error(sentence),
    Effect.sync(() => {
      process.exitCode = status
    })
  )

/** Tells what a command line asked about itself, and what is wrong with it. */
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

/** What a program does that does not end after a signal: a store that fails for good must not keep the process for ever. */
export interface GivingUp {
  /** From the signal on; a second signal ends the process at once. */
  readonly withinMs: number
  /** Does what must be done all the same; what is lost, in one sentence, or nothing where that is nothing. */
  readonly lost: () => string
}

let givingUp: GivingUp = { withinMs: 10_000, lost: () => "" }

export const giveUpStopping = (how: GivingUp): void => {
  givingUp = how
}

/** A thread waits for a lock for less; what takes longer does not return. */
const THREADS_END_WITHIN_MS = 1000

const giveUp = async (): Promise<void> => {
  const { lost, withinMs } = givingUp
  console.error(`Did not end within ${withinMs / 1000} s of the signal to stop. ${lost()}`.trimEnd())
  if (await abandonThreads(THREADS_END_WITHIN_MS)) process.exit(FAILED)
  // The other waits for the threads.
  process.kill(process.pid, "SIGKILL")
}

const boundStop = () => setTimeout(giveUp, givingUp.withinMs).unref()

/**
 * Runs a program as the process. Its own end ends the process with the status that `quit` set, even where
 * something still holds it, as the channel to its primary holds a worker.
 */
export const runProgram = <E, A>(program: Effect.Effect<A, E>) => {
  process.once("SIGINT", boundStop).once("SIGTERM", boundStop)
  NodeRuntime.runMain(program, {
    disablePrettyLogger: true,
    teardown: (exit, onExit) => defaultTeardown(exit, (code) => onExit(code || Number(process.exitCode ?? 0)))
  })
}
