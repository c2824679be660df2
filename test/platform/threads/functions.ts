/** The functions of the tests' threads: an entry like src/archive/workers/computations.ts. */
import type { MessagePort } from "node:worker_threads"

export const sum = ({ values }: { readonly values: Float64Array }): number =>
  values.reduce((a, b) => a + b, 0)

export const refuse = ({ reason }: { readonly reason: string }): never => {
  throw new RangeError(reason)
}

/** Fails outside of the call, as a bug in a started task would. */
export const crash = (_task: object): Promise<never> =>
  new Promise(() => {
    setImmediate(() => {
      throw new Error("out of nowhere")
    })
  })

export const leave = ({ code }: { readonly code: number }): never => process.exit(code)

/** Reports that it has started, and computes for ever. */
export const spin = ({ port }: { readonly port: MessagePort }): never => {
  port.postMessage("spinning")
  for (;;);
}

const held: Array<MessagePort> = []

/** Keeps a port: its other end closes when the thread ends. */
export const hold = ({ port }: { readonly port: MessagePort }): number => held.push(port)
