/**
 * Threads of a process that gives up. One that is ended from outside while it is inside SQLite aborts the whole process, because
 * SQLite's error has no JavaScript left to go to; so each is told to end by itself.
 */
import { MessageChannel, type MessagePort, type Worker as Thread } from "node:worker_threads"
import { keepYoungHeapAsItIs } from "../youngHeap.ts"

interface Told {
  readonly port: MessagePort
  readonly ended: Promise<unknown>
}

const threads = new Set<Told>()

/** Starts a thread that can be told; it gets the port at which it hears. */
export const startTold = (start: (hears: MessagePort) => Thread): Thread => {
  const { port1: port, port2 } = new MessageChannel()
  const thread = start(port2)
  const told = { port, ended: new Promise((done) => thread.once("exit", done)) }
  threads.add(told)
  thread.once("online", keepYoungHeapAsItIs)
  thread.once("exit", () => {
    threads.delete(told)
    port.close()
  })
  return thread
}

/** In the thread: it ends as soon as its event loop turns. */
export const endWhenTold = (port: MessagePort): void => {
  port.once("message", () => process.exit())
  port.unref()
}

/** Tells all. Whether they have ended in time: one in a call of the system that does not return cannot. */
export const abandonThreads = async (withinMs: number): Promise<boolean> => {
  const all = [...threads]
  for (const { port } of all) port.postMessage("end")
  return Promise.race([
    Promise.all(all.map(({ ended }) => ended)).then(() => true),
    new Promise<boolean>((late) => setTimeout(() => late(false), withinMs))
  ])
}
