/**
 * Follows a session that may be driven: whether it is being recorded, and a number that changes when its laps or names have
 * changed. It asks for one point a second only, which shows that the session is driven.
 */
import { effect } from "@preact/signals"
import { useEffect, useState } from "preact/hooks"
import { LiveSocket } from "./LiveSocket.ts"

interface Message {
  readonly type: "telemetry" | "heartbeat" | "lap" | "session"
  readonly session_id?: number
  /** Left out when a session begins or ends. */
  readonly changed?: ReadonlyArray<string>
}

/** The service sends a heartbeat every 15 s: after so long without a message the connection may be gone, ms. */
const QUIET_MS = 20_000
/** Points that come so soon after the end of a session were on their way, ms. */
const LATE_MS = 2000

export interface SessionEvents {
  /** Undefined until the session is seen to be driven, or to have ended. */
  readonly live: boolean | undefined
  /** Whether changes of the session arrive. */
  readonly linked: boolean
  readonly changes: number
}

export const useSessionEvents = (sessionId: number): SessionEvents => {
  const [events, set] = useState<SessionEvents>({ live: undefined, linked: true, changes: 0 })
  useEffect(() => {
    let heard = 0
    let ended = Number.NEGATIVE_INFINITY
    const change = (live: (before: boolean | undefined) => boolean | undefined) =>
      set((before) => ({ ...before, live: live(before.live), changes: before.changes + 1 }))
    const read = ({ changed, session_id, type }: Message) => {
      heard = performance.now()
      if (session_id !== sessionId) return
      if (type === "lap") change((before) => before)
      // Its start was reported before its first point, so a message without names is its end.
      else if (type === "session") {
        if (changed === undefined) ended = heard
        change((before) => (changed === undefined ? false : before))
      } else if (type === "telemetry" && heard - ended > LATE_MS) {
        set((before) => (before.live === true ? before : { ...before, live: true }))
      }
    }
    const socket = new LiveSocket({
      address: `/api/v1/telemetry/live?rate=1&events=lap,session&heartbeat=1&session_id=${sessionId}`,
      read: (message) => read(message as Message),
      isAlive: () => performance.now() - heard < QUIET_MS
    })
    let wasLost = false
    const unlink = effect(() => {
      const link = socket.link.value
      // What happened meanwhile was missed.
      if (link === "open" && wasLost) change(() => undefined)
      wasLost = link === "lost" || (wasLost && link !== "open")
      set((before) => (before.linked === (link !== "lost") ? before : { ...before, linked: link !== "lost" }))
    })
    return () => {
      unlink()
      socket.close()
    }
  }, [sessionId])
  return events
}
