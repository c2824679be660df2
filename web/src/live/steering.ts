/**
 * The steering, which the WebSocket's messages lack (interface, section 6), from the typed API's subscription, whose
 * points are whole. Points get the newest value when they come, up to four frames late.
 *
 * A browser opens six connections to a service and a subscription holds one, so a page that is not looked at has none:
 * what was steered meanwhile is unknown.
 */
import { effect, signal } from "@preact/signals"
import { api } from "../api.ts"
import type { LiveTelemetry } from "./LiveTelemetry.ts"

const isSeen = () => document.visibilityState === "visible"

export const followSteering = (feed: LiveTelemetry): (() => void) => {
  const seen = signal(isSeen())
  const look = () => (seen.value = isSeen())
  document.addEventListener("visibilitychange", look)
  let followed: number | undefined
  const stop = effect(() => {
    const id = feed.session.value
    // With the WebSocket: it knows when the service is there again.
    const open = feed.link.value === "open"
    if (id !== followed) feed.hasNoSteering = false
    if (id !== followed || !seen.value) feed.point.steering = Number.NaN
    followed = id
    if (id === undefined || !open || !seen.value) return
    return api.steering(id, (steering) => {
      feed.point.steering = steering ?? Number.NaN
      feed.hasNoSteering = steering === null
    })
  })
  return () => {
    stop()
    document.removeEventListener("visibilitychange", look)
  }
}
