/** The selected channels that a replay sends with the stored points, as of the stored samples. */
import { Effect, Stream } from "effect"
import { withChannels } from "../../archive/asOf.ts"
import { channels as pointChannels } from "../../domain/pointChannels.ts"
import { type PointBatch, RowBatch } from "../../domain/RowBatch.ts"
import { justAfter } from "../../domain/Time.ts"
import type { ChannelSelection } from "../../live/channels/ChannelSelection.ts"
import { ChannelValues } from "../../live/channels/ChannelValues.ts"
import { Dictionaries } from "../../store/Dictionaries.ts"
import { RowStore } from "../../store/RowStore.ts"

/**
 * The values of a selection as of each of the session's points. There must be at least one point, and they must be in
 * order.
 */
export const storedChannels = (sessionId: number, selection: ChannelSelection) => (points: PointBatch) =>
  Effect.gen(function* () {
    const dictionary = yield* (yield* Dictionaries).dictionary(sessionId)
    const store = yield* RowStore
    const beside = (dictionary?.groups ?? [])
      .map(({ channels, name }) => ({
        group: name,
        names: channels.map((channel) => channel.name).filter((channel) => selection.has(channel))
      }))
      .filter(({ names }) => names.length > 0)
    const stored = beside.flatMap(({ names }) => names)
    const columns = [...pointChannels, ...stored]
    const times = points.timestamps
    const range = { sessionId, from: times[0]!, until: justAfter(times.at(-1)!) }
    const found = RowBatch.concat([
      ...(yield* Stream.runCollect(withChannels(store, range, beside, columns, Stream.make(points))))
    ])
    const names = [...new Set([...stored, ...selection.names])]
    const values = ChannelValues.absent(names, points.length)
    for (const [at, name] of names.entries()) {
      const column = columns.indexOf(name)
      if (column < 0) continue
      for (let i = 0; i < points.length; i++) {
        values.data[i * names.length + at] = found.data[column * points.length + i]!
      }
    }
    return values
  })
