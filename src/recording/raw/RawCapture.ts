/**
 * Keeps what a game sent during a session, in a file beside it: lines as captures have them, `{"t": seconds, "hex": "bytes"}`,
 * packed by gzip. The first line of a drive also has `start`, the epoch seconds at which its times begin. Plain.
 *
 * Guarantees: it never makes the recording wait, and never fails it. While the disk takes nothing, MAX_WAITING_BYTES wait, and
 * further datagrams are lost, which `failed` gets once; after an error nothing more of the session is kept.
 *
 * Hard cases: a session is known some datagrams after those that began it. The last PREROLL_S are remembered, and go first
 * into its file. So two sessions that follow each other share some datagrams; who reads a file chooses by the session's times.
 */
import { createWriteStream, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { pipeline } from "node:stream"
import { createGzip, type Gzip } from "node:zlib"

const MAX_WAITING_BYTES = 4 * 2 ** 20
const PREROLL_S = 2
const MAX_PREROLL_BYTES = 4 * 2 ** 20

export interface RawCaptureOptions {
  /** The session that is being recorded; null before one runs. */
  readonly sessionId: () => number | null
  readonly fileOf: (sessionId: number) => string
  /** Epoch seconds, to the microsecond. */
  readonly now: () => number
  /** Is told once for each session why its datagrams are not all kept. */
  readonly failed: (sessionId: number, cause: unknown) => void
}

interface Remembered {
  readonly time: number
  readonly bytes: Buffer
}

/** The file of one session. */
class CaptureFile {
  readonly sessionId: number
  readonly #gzip: Gzip
  readonly #start: number
  #isBegun = false
  /** Nothing more is written. */
  #isOver = false
  #isLosing = false
  readonly written: Promise<void>
  readonly #failed: (cause: unknown) => void

  constructor(sessionId: number, path: string, start: number, failed: (cause: unknown) => void) {
    this.sessionId = sessionId
    this.#start = start
    this.#failed = failed
    mkdirSync(dirname(path), { recursive: true })
    this.#gzip = createGzip()
    this.written = new Promise((resolve) => {
      // A session that was continued has a file already: gzip's parts may follow each other.
      pipeline(this.#gzip, createWriteStream(path, { flags: "a", mode: 0o600 }), (error) => {
        if (error != null) this.#fail(error)
        resolve()
      })
    })
  }

  #fail(cause: unknown): void {
    if (!this.#isOver) this.#failed(cause)
    this.#isOver = true
  }

  write({ bytes, time }: Remembered): void {
    if (this.#isOver) return
    if (this.#gzip.writableLength > MAX_WAITING_BYTES) {
      if (!this.#isLosing) this.#failed("the disk is too slow")
      this.#isLosing = true
      return
    }
    const start = this.#isBegun ? "" : `"start":${this.#start},`
    this.#isBegun = true
    this.#gzip.write(`{${start}"t":${(time - this.#start).toFixed(6)},"hex":"${bytes.toString("hex")}"}\n`)
  }

  end(): Promise<void> {
    this.#gzip.end()
    return this.written
  }
}

export class RawCapture {
  readonly #options: RawCaptureOptions
  #recent: Array<Remembered> = []
  #recentBytes = 0
  #file: CaptureFile | undefined
  /** The session whose file could not be made. */
  #refused: number | undefined

  constructor(options: RawCaptureOptions) {
    this.#options = options
  }

  /** Takes the next datagram; the caller may reuse its memory. */
  keep(bytes: Buffer): void {
    const datagram = { time: this.#options.now(), bytes: Buffer.from(bytes) }
    const sessionId = this.#options.sessionId()
    if (this.#file !== undefined && this.#file.sessionId !== sessionId) void this.end()
    this.#remember(datagram)
    if (sessionId === null || sessionId === this.#refused) return
    if (this.#file === undefined) this.#begin(sessionId)
    else this.#file.write(datagram)
  }

  /** Closes the file of the session under way. Resolves when it is written. */
  end(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    return file?.end() ?? Promise.resolve()
  }

  #remember(datagram: Remembered): void {
    this.#recent.push(datagram)
    this.#recentBytes += datagram.bytes.length
    let gone = 0
    while (datagram.time - this.#recent[gone]!.time > PREROLL_S || this.#recentBytes > MAX_PREROLL_BYTES) {
      this.#recentBytes -= this.#recent[gone++]!.bytes.length
    }
    if (gone > 0) this.#recent.splice(0, gone)
  }

  #begin(sessionId: number): void {
    const { failed, fileOf } = this.#options
    try {
      const [{ time }] = this.#recent as [Remembered]
      this.#file = new CaptureFile(sessionId, fileOf(sessionId), time, (cause) => failed(sessionId, cause))
      for (const datagram of this.#recent) this.#file.write(datagram)
    } catch (error) {
      this.#refused = sessionId
      failed(sessionId, error)
    }
  }
}
