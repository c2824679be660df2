/** One side of the connection between two processes. */
import type { ChildProcess } from "node:child_process"
import type { RelayMessage } from "./messages.ts"

export interface Channel {
  /** In order. `taken` is called once the message has left this process, or never will. */
  readonly send: (message: RelayMessage, taken: () => void) => void
  /** Calls `receive` with every message until the caller calls the function returned. */
  readonly receive: (receive: (message: RelayMessage) => void) => () => void
}

const channelOf = (end: ChildProcess | NodeJS.Process): Channel => ({
  send: (message, taken) => {
    // Without a callback, sending over a closed channel would emit an error event, which would end the process.
    end.send?.(message, undefined, undefined, taken)
  },
  receive: (receive) => {
    end.on("message", receive)
    return () => void end.off("message", receive)
  }
})

export const toChild = (child: ChildProcess): Channel => channelOf(child)

export const toParent: Channel = channelOf(process)
