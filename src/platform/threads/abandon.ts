/**
 * Ends the threads of a process that gives up. If a thread is ended from outside while it is inside SQLite, the whole
 * process aborts, because there is no JavaScript left to take SQLite's error. So each thread is asked to end by itself.
 */
import { MessageChannel, type MessagePort, type Worker as Thread } from "node:worker_threads"
import { keepYoungHeapAsItIs } from "../heapGrowth.ts"

interface Abandonable {
  readonly port: MessagePort
  readonly ended: Promise<unknown>
}

const threads = new Set<Abandonable>()

/** Starts a thread that can be asked to end; the thread gets the port on which it receives the request. */
export const startAbandonable = (start: (hears: MessagePort) => Thread): Thread => {
  const { port1: port, port2 } = new MessageChannel()
  const thread = start(port2)
  const abandonable = { port, ended: new Promise((done) => thread.once("exit", done)) }
  threads.add(abandonable)
  thread.once("online", keepYoungHeapAsItIs)
  thread.once("exit", () => {
    threads.delete(abandonable)
    port.close()
  })
  return thread
}

/** To be called in the thread: makes it end, when asked, as soon as its event loop turns. */
export const endWhenAbandoned = (port: MessagePort): void => {
  port.once("message", () => process.exit())
  port.unref()
}

/**
 * Asks all threads to end. Returns whether they ended in time: a thread in a system call that does not return cannot
 * end.
 */
export const abandonThreads = async (withinMs: number): Promise<boolean> => {
  const all = [...threads]
  for (const { port } of all) port.postMessage("end")
  return Promise.race([
    Promise.all(all.map(({ ended }) => ended)).then(() => true),
    new Promise<boolean>((late) => setTimeout(() => late(false), withinMs))
  ])
}
