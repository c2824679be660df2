/** The thread's side of ThreadItems.ts. */
import { parentPort, workerData } from "node:worker_threads"
import invariant from "tiny-invariant"
import type { FromThread } from "./ThreadItems.ts"

/**
 * Sends the items of `make(task)`, each when the other side asks for it. To be called once, by the entry of a thread.
 * `memoryOf`: the buffers of an item that move to the other side, and are gone here.
 */
export const serveItems = <Task, Item>(
  make: (task: Task) => AsyncIterable<Item>,
  memoryOf: (item: Item) => ReadonlyArray<ArrayBuffer> = () => []
): void => {
  const port = parentPort
  invariant(port !== null, "this module is the entry of a thread")
  // The thread computes the next item while the other side uses the last one.
  const items = make(workerData as Task)[Symbol.asyncIterator]()
  let next = items.next()
  const send = async (item: typeof next) => {
    const { done, value } = await item
    const message: FromThread<Item> = done === true ? { done } : { done: false, item: value }
    port.postMessage(message, message.done ? [] : memoryOf(message.item))
    if (message.done) port.close()
  }
  // Without a handler a failure would end the thread before the other side has asked for the items before it.
  next.catch(() => undefined)
  port.on("message", () => {
    const item = next
    next = item.then(() => items.next())
    next.catch(() => undefined)
    void send(item)
  })
}
