/** What messages between two processes go over, from one side. */
import type { ChildProcess } from "node:child_process"
import type { Message } from "./messages.ts"

export interface Channel {
  /** In order. `taken` is called once the message has left this process, or never will. */
  readonly send: (message: Message, taken: () => void) => void
  /** Calls `receive` with all that comes, until what it returns is called. */
  readonly receive: (receive: (message: Message) => void) => () => void
}

const channelOf = (end: ChildProcess | NodeJS.Process): Channel => ({
  send: (message, taken) => {
    // With a callback, a channel that has been closed is no error event, which would end the process.
    end.send?.(message, undefined, undefined, taken)
  },
  receive: (receive) => {
    end.on("message", receive)
    return () => void end.off("message", receive)
  }
})

export const toChild = (child: ChildProcess): Channel => channelOf(child)

export const toParent: Channel = channelOf(process)
