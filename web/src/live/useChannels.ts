/**
 * Channels of a session as they are reported, over a connection of their own: they are shown ten times a second, and need not
 * come sixty times.
 */
import { useEffect, useState } from "preact/hooks"
import { LiveTelemetry } from "./LiveTelemetry.ts"
import { Ring } from "./Ring.ts"

const CHANNELS_HZ = 10
/** A little more than a minute. */
const KEPT_ROWS = 640

export interface LiveChannels {
  readonly feed: LiveTelemetry
  /** The last minute of the channels, with `timestamp`. */
  readonly ring: Ring<string>
}

/** Undefined if no channels are wanted. */
export const useChannels = (
  sessionId: number | undefined,
  names: ReadonlyArray<string>
): LiveChannels | undefined => {
  const [live, setLive] = useState<LiveChannels>()
  const wanted = names.join()
  useEffect(() => {
    if (sessionId === undefined || wanted === "") return setLive(undefined)
    const feed = new LiveTelemetry({ sessionId, rate: CHANNELS_HZ, channels: names })
    const ring = new Ring<string>(KEPT_ROWS, ["timestamp", ...names])
    const row: Record<string, number> = {}
    feed.onPoint(({ timestamp }) => {
      row["timestamp"] = timestamp
      for (const name of names) row[name] = feed.values[name] ?? Number.NaN
      if (timestamp < ring.at("timestamp", ring.length - 1)) ring.clear()
      ring.push(row)
    })
    setLive({ feed, ring })
    return () => feed.close()
  }, [sessionId, wanted])
  return live
}
