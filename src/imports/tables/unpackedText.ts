/** The text of a file that may be packed by gzip, in pieces: memory does not grow with the file. */
import { createGunzip } from "node:zlib"
import type { SourceFile } from "../FileReader.ts"

/** Packed bytes that are unpacked together: to 16 MiB at most. */
const CHUNK_BYTES = 1 << 14
/** Text that is taken together. */
const TEXT_BYTES = 1 << 16

/** How gzip of Node begins a member, but for the last byte, which names the system. Packed data as good as never has it. */
const MEMBER = Buffer.from("1f8b08000000000000", "hex")

export const isGzip = (head: Uint8Array): boolean => head[0] === 0x1f && head[1] === 0x8b

/** The packed bytes of a file, in members. A kill may have cut each of them, and the next one goes on after it. */
class Members {
  readonly #file: SourceFile
  /** The bytes of the file that were read. */
  read = 0
  /** All of the member was read. */
  #isRead = false

  constructor(file: SourceFile) {
    this.#file = file
  }

  get isEnd(): boolean {
    return this.read >= this.#file.size
  }

  /** The bytes up to the next member, or to the end of the file. `from`: of the next bytes the first that may begin one. */
  *next(from = 1): Generator<Uint8Array, void, void> {
    this.#isRead = false
    while (!this.#isRead) {
      const { buffer, byteOffset, length } = this.#file.bytes(this.read, CHUNK_BYTES + MEMBER.length - 1)
      const bytes = Buffer.from(buffer, byteOffset, length)
      const next = bytes.indexOf(MEMBER, from)
      const piece = bytes.subarray(0, next < 0 ? CHUNK_BYTES : next)
      this.read += piece.length
      this.#isRead = next >= 0 || this.isEnd
      if (piece.length > 0) yield piece
      from = 0
    }
  }

  /** Leaves out what is left of the member. */
  skip(): void {
    if (!this.#isRead) for (const _ of this.next(0));
  }
}

/**
 * The text of packed bytes. Fails where they are damaged, after all text before that: a stream that fails drops what nobody has
 * read, so everything is taken as soon as it is there.
 */
async function* textOf(pieces: Iterable<Uint8Array>): AsyncGenerator<Buffer, void, void> {
  const gunzip = createGunzip({ chunkSize: TEXT_BYTES })
  const texts: Array<Buffer> = []
  gunzip.on("data", (text: Buffer) => texts.push(text))
  let isOver = false
  let failure: Error | undefined
  let wake: (() => void) | undefined
  const end = (error?: Error | null) => {
    isOver = true
    failure ??= error ?? undefined
    wake?.()
  }
  gunzip.once("end", () => end())
  gunzip.on("error", end)
  /** Until what was begun is done, or the stream is over: then nothing else answers. */
  const until = (begin: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      wake = resolve
      begin(resolve)
    })
  try {
    for (const piece of pieces) {
      if (!isOver)
        await until((done) => gunzip.write(piece, (error) => (error == null ? done() : end(error))))
      yield* texts.splice(0)
      // Bytes after the end of what was packed are left out.
      if (isOver) break
    }
    if (!isOver) await until(() => gunzip.end())
    yield* texts.splice(0)
    if (failure !== undefined) throw failure
  } finally {
    gunzip.destroy()
  }
}

/** Text, and the bytes of the file that were read for it; or a sentence about damage, after which there may be more. */
type Unpacked = { readonly bytes: Uint8Array; readonly read: number } | string

export async function* unpackedText(file: SourceFile): AsyncGenerator<Unpacked, void, void> {
  if (!isGzip(file.bytes(0, 2))) {
    for (let at = 0; at < file.size; at += TEXT_BYTES) {
      const bytes = file.bytes(at, TEXT_BYTES)
      yield { bytes, read: at + bytes.length }
    }
    return
  }
  const members = new Members(file)
  let all = 0
  while (!members.isEnd) {
    let isDamaged = false
    try {
      for await (const bytes of textOf(members.next())) {
        all += bytes.length
        yield { bytes, read: members.read }
      }
    } catch {
      isDamaged = true
    }
    members.skip()
    const goesOn = members.isEnd ? "" : "; what follows was read, too"
    if (isDamaged) yield `Its packed text is damaged after ${all} bytes of text${goesOn}`
  }
}
