/** The thread's side of ThreadDialogue.ts. */
import { parentPort, workerData } from "node:worker_threads"
import invariant from "tiny-invariant"

/**
 * Answers what the other side asks, one ask after another. To be called once, by the entry of a thread. `begin`: gets the
 * task, and gives the function that answers. `memoryOf`: the buffers of an answer that move to the other side, and are
 * gone here. A failure ends the thread.
 */
export const answerAsks = <Task, Ask, Answer>(
  begin: (task: Task) => (ask: Ask) => Answer | Promise<Answer>,
  memoryOf: (answer: Answer) => ReadonlyArray<ArrayBuffer>
): void => {
  const port = parentPort
  invariant(port !== null, "this module is the entry of a thread")
  const answer = begin(workerData as Task)
  const send = async (ask: Ask) => {
    const answered = await answer(ask)
    port.postMessage(answered, memoryOf(answered))
  }
  port.on("message", (ask: Ask) => void send(ask))
}
