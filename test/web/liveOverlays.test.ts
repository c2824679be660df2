/** Overlays of a feed that the test sends. */
import { describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { WebSocketRoute } from "playwright-core"
import type * as Box from "../support/processes.ts"
import { needing } from "../support/needing.ts"
import * as Drives from "./drives.ts"
import * as Web from "../support/pages.ts"

/** The lights of a service, fed by the test: so many points of a session with these revolutions, and its end. */
const lights = Effect.fn(function* (service: Box.Running) {
  const { page } = yield* Web.open(yield* Web.browser, service, "/statistics")
  const live = yield* Deferred.make<WebSocketRoute>()
  yield* Effect.promise(() =>
    page.routeWebSocket(/telemetry\/live/, (socket) => Deferred.unsafeDone(live, Effect.succeed(socket)))
  )
  yield* Effect.promise(() => page.goto(`${service.address}/overlay/revs?idle=keep`))
  const socket = yield* Deferred.await(live)
  let timestamp = 100
  return {
    page,
    drive: (session_id: number, rpm: number | null, points: number, channels?: object) => {
      for (let i = 0; i < points; i++) {
        timestamp += 0.5
        const data = { timestamp, rpm, gear: 3 }
        socket.send(JSON.stringify({ type: "telemetry", session_id, data, channels }))
      }
    },
    onAir: (session_id: number) =>
      socket.send(JSON.stringify({ type: "on_air", session_id, data: { mode: "auto" } }))
  }
})

const LIT = `document.querySelectorAll(".lights .on").length`

describe("the overlay of revolutions", needing(Web.browserHere), () => {
  it.scopedLive(
    "shows that there are none, fills its lights by the car's highest revolutions, and begins anew with a session",
    () =>
      Effect.gen(function* () {
        const service = yield* Drives.emptyService
        const { drive, onAir, page } = yield* lights(service)
        onAir(1)
        drive(1, null, 4)
        yield* Web.see(page, "The simulator reports no revolutions.")
        yield* Web.becomes(page, `document.querySelector(".lights").offsetParent === null`)
        onAir(2)
        drive(2, 15_000, 3)
        // Revolutions that were seen for a moment may be low ones.
        yield* Web.becomes(
          page,
          `document.querySelector(".lights[data-absent=true]") !== null && ${LIT} === 0`
        )
        drive(2, 15_000, 60)
        yield* Web.becomes(page, `${LIT} === 12`)
        yield* Web.becomes(page, `document.querySelector(".not-reported") === null`)
        // The lights are lit also for a car that turns half as fast.
        onAir(3)
        drive(3, 7000, 63)
        yield* Web.becomes(page, `${LIT} === 12`)
        drive(3, 4000, 1)
        yield* Web.becomes(page, `${LIT} === 0`)
        drive(3, 7000, 1)
        yield* Web.becomes(page, `${LIT} === 12`)
      })
  )

  it.scopedLive("uses the end of the dial only if a whole lap has reached it", () =>
    Effect.gen(function* () {
      const service = yield* Drives.emptyService
      // Its laps are driven at 6,000 rpm.
      const { session } = yield* Drives.circles(service, 2)
      const { drive, onAir, page } = yield* lights(service)
      const dial = { rpm_max: 9000 }
      const withoutLaps = session + 1
      onAir(withoutLaps)
      drive(withoutLaps, 7500, 3, dial)
      yield* Web.becomes(page, `${LIT} === 6`)
      onAir(session)
      drive(session, 6000, 3, dial)
      yield* Web.becomes(page, `${LIT} === 12`)
      // A driver who turns the engine to the dial's end shifts there.
      drive(session, 9000, 3, dial)
      drive(session, 7500, 1, dial)
      yield* Web.becomes(page, `${LIT} === 6`)
    })
  )
})

describe("overlays with steering", needing(Web.browserHere), () => {
  it.scopedLive("hold no HTTP connection: a browser that shows seven still gets answers", () =>
    Effect.gen(function* () {
      const service = yield* Drives.emptyService
      const { page } = yield* Web.open(yield* Web.browser, service, "/statistics")
      const context = page.context()
      yield* Effect.promise(() =>
        context.routeWebSocket(/telemetry\/live/, (socket) => {
          const data = { timestamp: 100, gear: 3 }
          socket.send(JSON.stringify({ type: "on_air", session_id: 1, data: { mode: "auto" } }))
          socket.send(JSON.stringify({ type: "telemetry", session_id: 1, data, channels: { steering: 0.5 } }))
        })
      )
      for (let shown = 0; shown < 7; shown++) {
        const overlay = yield* Effect.promise(() => context.newPage())
        yield* Effect.promise(() => overlay.goto(`${service.address}/overlay/inputs?idle=keep`))
        yield* Web.becomes(overlay, `document.querySelector(".wheel span")?.textContent === "50 % R"`)
      }
      yield* Effect.promise(() => page.getByRole("link", { name: "Sessions", exact: true }).click())
      yield* Web.becomes(page, `location.pathname === "/sessions"`)
    })
  )
})
