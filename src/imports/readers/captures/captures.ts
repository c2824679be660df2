/**
 * Captures of games' datagrams, replayed through their drivers (formats.md, 3.7). Of several streams the largest that a driver
 * recognises is taken.
 */
import type { FileReader, Piece, SourceFile } from "../../FileReader.ts"
import { UnreadableFile } from "../../FileReader.ts"
import type { CaptureFormat, Captured } from "./Datagram.ts"
import * as f1pcap from "./f1pcap.ts"
import * as hexLines from "./hexLines.ts"
import * as pcap from "./pcap.ts"

type Open = (file: SourceFile) => Iterable<Captured> | AsyncIterable<Captured>

/** The datagrams of a game from one sender to one port. */
interface Stream {
  readonly from: string
  readonly port: number
  readonly game: string
  count: number
}

const named = ({ count, from, game, port }: Stream): string =>
  `${count} datagrams of ${game}${from === "" ? "" : ` from ${from}`}${port === 0 ? "" : ` to port ${port}`}`

/** The streams that drivers recognise, the largest first. */
const streamsIn = async (
  captured: ReturnType<Open>,
  protocolOf: (bytes: Buffer) => { readonly name: string } | undefined
) => {
  const streams = new Map<string, Stream>()
  let datagrams = 0
  for await (const piece of captured) {
    datagrams += piece.datagrams.length
    for (const { bytes, from, port } of piece.datagrams) {
      const game = protocolOf(bytes)?.name
      if (game === undefined) continue
      const key = `${from} ${port} ${game}`
      const stream = streams.get(key)
      if (stream === undefined) streams.set(key, { from, port, game, count: 1 })
      else stream.count++
    }
  }
  return { datagrams, streams: [...streams.values()].toSorted((a, b) => b.count - a.count) }
}

const leftOutWarnings = (leftOut: Readonly<Record<string, number>>): ReadonlyArray<string> =>
  Object.entries(leftOut).flatMap(([reason, count]) =>
    count === 0 ? [] : [`${count} ${reason.replaceAll("_", " ")} are left out`]
  )

async function* pieces(
  file: SourceFile,
  format: CaptureFormat,
  open: Open
): AsyncGenerator<Piece, void, void> {
  // The drivers take a moment to load, and only captures need them.
  const { protocolOf, protocols, Replay } = await import("./replay.ts")
  const { datagrams, streams } = await streamsIn(open(file), protocolOf)
  const [stream, ...others] = streams
  if (stream === undefined) {
    throw new UnreadableFile(
      `None of its ${datagrams} datagrams is of a game whose captures are read: ${protocols.map(({ name }) => name).join(", ")}`
    )
  }
  const protocol = protocols.find(({ name }) => name === stream.game)!
  const replay = new Replay(protocol, stream.port)
  let isDated = format.isDated
  const leftOut: Record<string, number> = {}
  let damage: string | undefined
  for await (const piece of open(file)) {
    damage ??= piece.damage
    isDated ||= piece.isDated === true
    const zero = isDated ? 0 : file.modified
    for (const [reason, count] of Object.entries(piece.leftOut ?? {}))
      leftOut[reason] = (leftOut[reason] ?? 0) + count
    const own = piece.datagrams.filter(({ from, port }) => from === stream.from && port === stream.port)
    const placed = own.map((datagram) => ({ ...datagram, time: zero + datagram.time }))
    yield { events: replay.hear(placed), read: piece.read }
  }
  yield {
    events: replay.end(),
    read: file.size,
    warnings: [
      ...(isDated ? [] : ["The capture has no date: it begins at the time of the file"]),
      ...leftOutWarnings(leftOut),
      ...others.map((other) => `Not read: ${named(other)}`)
    ],
    facts: [{ game: stream.game }],
    ...(damage === undefined ? {} : { partial: damage })
  }
}

const readerOf = (format: CaptureFormat, open: Open): FileReader => ({
  format: format.format,
  title: format.title,
  endings: format.endings,
  recognises: format.recognises,
  read: (file) => pieces(file, format, open)
})

export const readers: ReadonlyArray<FileReader> = [
  readerOf(pcap.format, pcap.capturedInPcap),
  readerOf(f1pcap.format, f1pcap.capturedInF1pcap),
  readerOf(hexLines.format, hexLines.capturedInLines)
]
