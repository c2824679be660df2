/** One side of the channel between two processes. */
import type { ChildProcess } from "node:child_process"
import type { RelayMessage } from "./messages.ts"

export interface ProcessChannel {
  /** Sends in order. Calls `taken` once the message has left this process, or can never leave it. */
  readonly send: (message: RelayMessage, taken: () => void) => void
  /** Calls `receive` with every message until the caller calls the returned function. */
  readonly receive: (receive: (message: RelayMessage) => void) => () => void
}

const channelOf = (end: ChildProcess | NodeJS.Process): ProcessChannel => ({
  send: (message, taken) => {
    // Without a callback, sending over a closed channel would emit an error event, which would end the process.
    end.send?.(message, undefined, undefined, taken)
  },
  receive: (receive) => {
    end.on("message", receive)
    return () => void end.off("message", receive)
  }
})

export const toChild = (child: ChildProcess): ProcessChannel => channelOf(child)

export const toParent: ProcessChannel = channelOf(process)
