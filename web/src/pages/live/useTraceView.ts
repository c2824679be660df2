/** Which stretch of the drive the traces show: the last minutes, this lap or the stint, moving on or held at a time. */
import { useEffect, useMemo, useState } from "preact/hooks"
import { lastSeconds, type Span } from "../../draw/span.ts"
import { kept } from "../../kept.ts"
import type { LiveSession } from "../../live/LiveSession.ts"
import type { Ring } from "../../live/Ring.ts"
import { loadHistory, type TraceHistory } from "../../live/TraceHistory.ts"

export const WINDOWS = {
  "1": "1 min",
  "5": "5 min",
  "10": "10 min",
  lap: "This lap",
  stint: "Stint"
} as const
export type Window = keyof typeof WINDOWS

const KEY = "live-window"
/** The feed's own ring has this much, s. */
const MINUTE_S = 60
/** Without a lap's start or a reference to hold against, a lap is shown for so long, s. */
const LAP_S = 120
/** A held stretch is loaded once the slider has rested for so long, ms. */
const SETTLED_MS = 200
/** How often a stretch that outgrows what is kept is looked at, ms. */
const GROWN_MS = 5000

export interface Held {
  /** The session's first and last point, s. */
  readonly start: number
  readonly end: number
  /** The end of the shown stretch, and its length, s. */
  readonly at: number
  readonly seconds: number
}

export interface TraceView {
  readonly window: Window
  readonly choose: (window: Window) => void
  readonly ring: Ring<string>
  readonly span: Span
  /** Undefined while the traces move on. */
  readonly held: Held | undefined
  readonly hold: () => void
  readonly moveTo: (at: number) => void
  readonly release: () => void
}

/** The earliest end of a held stretch: it is whole, if the session is as long. */
export const earliestOf = ({ end, seconds, start }: Held): number => Math.min(end, start + seconds)

const keptWindow = (): Window => {
  const found = kept.get(KEY) ?? ""
  return found in WINDOWS ? (found as Window) : "1"
}

/** The lap under way, from its line on, as long as the reference takes or it has been driven. */
const lapSpan = (drive: LiveSession): Span => ({
  sinceStart: true,
  range: (latest) => {
    const { began, reference } = drive.clock
    if (!(began <= latest)) return [latest - MINUTE_S, latest]
    return [began, Math.max(latest, began + (reference?.lapTime ?? MINUTE_S))]
  }
})

const stintSpan = (history: TraceHistory | undefined): Span => ({
  sinceStart: true,
  range: (latest) => {
    const began = history?.stint.began ?? Number.NaN
    return [began < latest ? began : latest - MINUTE_S, latest]
  }
})

/** Seconds to load. */
const secondsOf = (window: Window, drive: LiveSession): number => {
  if (window === "stint") return Number.POSITIVE_INFINITY
  if (window !== "lap") return Number(window) * MINUTE_S
  const { elapsed, reference } = drive.clock
  return Math.max(elapsed || 0, reference?.lapTime ?? 0, LAP_S)
}

export const useTraceView = (drive: LiveSession): TraceView => {
  const [window, setWindow] = useState<Window>(keptWindow)
  const [history, setHistory] = useState<TraceHistory>()
  const [held, setHeld] = useState<Held>()
  const [past, setPast] = useState<TraceHistory>()
  const [round, again] = useState(0)
  const session = drive.feed.session.value
  const stored = window !== "1" && session !== undefined
  useEffect(() => {
    setHistory(undefined)
    setHeld(undefined)
    setPast(undefined)
  }, [session, window])
  // The stretch that moves on.
  useEffect(() => {
    if (!stored) return
    let current = true
    const ends: Array<() => void> = [() => (current = false)]
    const follow = (loaded: TraceHistory | undefined): void => {
      if (!current || loaded === undefined) return
      loaded.catchUp(drive.feed.ring)
      setHistory(loaded)
      ends.push(drive.feed.onPoint((point) => loaded.push(point)))
      // Of the last minutes and of a lap no more is shown than is kept.
      const grown = setInterval(
        () => window === "stint" && loaded.isFull && again((count) => count + 1),
        GROWN_MS
      )
      ends.push(() => clearInterval(grown))
    }
    // If it fails, the last minute is still shown; the choice loads it again.
    loadHistory(session, secondsOf(window, drive)).then(follow, () => undefined)
    return () => {
      for (const end of ends) end()
    }
  }, [drive, session, window, stored, round])
  // The stretch that is held.
  useEffect(() => {
    if (held === undefined || session === undefined) return
    let current = true
    const timer = setTimeout(() => {
      const take = (loaded: TraceHistory | undefined): void => {
        loaded?.catchUp(drive.feed.ring, held.at)
        if (current) setPast(loaded)
      }
      loadHistory(session, held.seconds, held.at).then(take, () => undefined)
    }, SETTLED_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [session, held?.at, held?.seconds])
  const live = history?.ring ?? drive.feed.ring
  const moving = useMemo(
    () =>
      window === "lap"
        ? lapSpan(drive)
        : window === "stint"
          ? stintSpan(history)
          : lastSeconds(Number(window) * MINUTE_S),
    [drive, window, history]
  )
  const still = useMemo(
    () => held && { range: () => [held.at - held.seconds, held.at] as const },
    [held?.at, held?.seconds]
  )
  const hold = () => {
    if (live.length === 0) return
    const latest = live.at("timestamp", live.length - 1)
    const [from, to] = moving.range(latest)
    const first = history?.bounds.start ?? live.at("timestamp", 0)
    setHeld({ start: first, end: latest, at: Math.min(to, latest), seconds: Math.max(1, latest - from) })
    if (session === undefined) return
    // The page has the last minute alone: the store knows since when one can look back.
    loadHistory(session, 1, latest).then(
      (loaded) =>
        loaded && setHeld((now) => now && { ...now, start: Math.min(now.start, loaded.bounds.start) }),
      () => undefined
    )
  }
  return {
    window,
    choose: (wanted) => {
      kept.set(KEY, wanted)
      setWindow(wanted)
    },
    ring: held === undefined ? live : (past?.ring ?? live),
    span: still ?? moving,
    held,
    hold,
    moveTo: (at) => setHeld((now) => now && { ...now, at: Math.min(now.end, Math.max(earliestOf(now), at)) }),
    release: () => {
      setHeld(undefined)
      setPast(undefined)
    }
  }
}
