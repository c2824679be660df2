/**
 * Guards standard output and error. They may be on a full disk, have a reader that is gone, or be held (Ctrl+S, a
 * reader that does not read). None of these cases ends the program, makes it wait or fills its memory: a line that
 * cannot be written is lost, and counted.
 */

/** The maximum that waits for a held stream, bytes. Lines beyond that are lost. */
const HELD_BYTES = 1 << 20

let lost = 0

/** The number of lines that could not be written. */
export const lostLines = (): number => lost

type Written = (error?: Error | null) => void

/** Node's internal handle of a stream, which only a terminal or a pipe has. */
interface Handled {
  readonly _handle?: { readonly setBlocking?: (isBlocking: boolean) => void } | null
}

const guard = (stream: NodeJS.WriteStream): void => {
  const write = stream.write.bind(stream) as (
    chunk: string | Uint8Array,
    encoding: BufferEncoding | undefined,
    written: Written
  ) => boolean
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | Written,
    written: Written | undefined = undefined
  ) => {
    const done = typeof encoding === "function" ? encoding : written
    if (stream.writableLength > HELD_BYTES) {
      lost++
      done?.()
      return false
    }
    // Node blocks in each write to a terminal, and has no public way to prevent it. After a process has started another
    // one, which shares the stream, its next write would block again, so this is set before each write.
    ;(stream as Handled)._handle?.setBlocking?.(false)
    return write(chunk, typeof encoding === "function" ? undefined : encoding, (error) => {
      if (error) lost++
      done?.(error)
    })
  }
  // The callback above has counted it. Without a listener, the error would end the process.
  stream.on("error", () => {})
}

const streams = () => [process.stdout, process.stderr]

/** To be called once, before anything is written. */
export const guardStreams = (): void => streams().forEach(guard)

/** Resolves when all waiting lines are written, or after this time. */
export const flushed = async (withinMs: number): Promise<void> => {
  const waiting = streams().filter(({ writableLength }) => writableLength > 0)
  const empty = waiting.map((stream) => new Promise<void>((done) => void stream.write("", () => done())))
  if (empty.length > 0)
    await Promise.race([Promise.all(empty), new Promise((late) => setTimeout(late, withinMs))])
}
