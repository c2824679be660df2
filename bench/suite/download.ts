/** Reads an answer to its end, and compares it byte by byte with the expected one, as it arrives. */
import { once } from "node:events"
import { Agent, get, type IncomingMessage } from "node:http"

/** A request. */
export interface Question {
  /** With its query. */
  readonly path: string
  readonly accept: string
}

export interface Download {
  /** From the request to the body's first bytes, and to its end, ms. */
  readonly firstByte: number
  readonly whole: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** A connection that was idle for long is not used again: the server may be closing it. */
export const hangUp = (): void => agent.destroy()

const answerTo = async (url: string, { accept, path }: Question): Promise<IncomingMessage> => {
  const [answer] = (await once(get(url + path, { agent, headers: { accept } }), "response")) as [
    IncomingMessage
  ]
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`)
  return answer
}

/** Returns the body. */
export const fetched = async (url: string, question: Question): Promise<Buffer> => {
  hangUp()
  const chunks: Array<Buffer> = []
  for await (const chunk of await answerTo(url, question)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Throws where the body is not `expected`. */
export const download = async (url: string, question: Question, expected: Buffer): Promise<Download> => {
  const start = performance.now()
  const answer = await answerTo(url, question)
  let firstByte = 0
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (length === 0) firstByte = performance.now() - start
    if (
      length + chunk.length > expected.length ||
      expected.compare(chunk, 0, chunk.length, length, length + chunk.length) !== 0
    ) {
      throw new Error(`another answer than expected, somewhere from byte ${length} on`)
    }
    length += chunk.length
  }
  const whole = performance.now() - start
  if (length !== expected.length) throw new Error(`${length} bytes instead of ${expected.length}`)
  return { firstByte, whole }
}
