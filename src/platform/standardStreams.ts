/**
 * Standard output and error as they may be: on a full disk, with a reader that is gone, or held (Ctrl+S, a reader that does
 * not read). Nothing of that ends the program, makes it wait or fills its memory: a line that cannot be written is lost, and
 * counted.
 */

/** What waits for a stream that is held, bytes. Lines beyond that are lost. */
const HELD_BYTES = 1 << 20

let lost = 0

/** How many lines could not be written. */
export const lostLines = (): number => lost

type Written = (error?: Error | null) => void

/** Node's own words for a stream's handle, which only a terminal or a pipe has. */
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
    // Node waits in each write to a terminal, and has no public way not to. A process that starts another waits in the next one too,
    // since they share the stream: so this is said each time.
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

/** Called once, before anything is written. */
export const guardStreams = (): void => streams().forEach(guard)

/** Resolves when all is written that waits, or after this time. */
export const flushed = async (withinMs: number): Promise<void> => {
  const waiting = streams().filter(({ writableLength }) => writableLength > 0)
  const empty = waiting.map((stream) => new Promise<void>((done) => void stream.write("", () => done())))
  if (empty.length > 0)
    await Promise.race([Promise.all(empty), new Promise((late) => setTimeout(late, withinMs))])
}
