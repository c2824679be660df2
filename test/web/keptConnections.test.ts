/** Connections that outlive the service: on the settings page, and after a crash while a car drives. */
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Box from "../support/processes.ts"
import { seriousFindings } from "./accessible.ts"
import * as Web from "../support/pages.ts"
import { needing } from "../support/needing.ts"

interface Status {
  readonly connections: ReadonlyArray<{ readonly state: string; readonly points_stored: number }>
}

describe("connections", needing(Web.browserHere), () => {
  it.scopedLive("are opened again after a crash, and turned off, on and forgotten on the settings page", () =>
    Effect.gen(function* () {
      const data = yield* Box.folder
      const first = yield* Box.startService(data)
      const simulator = yield* Box.startSimulator("--circuit", "Larkspur Park")
      yield* Box.connect(first, simulator)
      const stored = (service: Box.Running) =>
        Box.until(
          Box.get<Status>(service, "/status"),
          ({ connections }) => connections.length === 1 && connections[0]!.points_stored > 0
        )
      yield* stored(first)
      yield* first.signal("SIGKILL")
      const service = yield* Box.startAgain(data)
      // Nobody connects.
      yield* stored(service)

      const { complaints, page } = yield* Web.open(yield* Web.browser, service, "/settings")
      yield* Web.see(page, /A feed of your own at 127\.0\.0\.1:\d+/)
      yield* Web.see(page, "connected, as")
      expect(yield* seriousFindings(page)).toEqual([])
      const box = page.getByRole("checkbox", { name: /A feed of your own at/ })
      yield* Effect.promise(() => box.uncheck())
      yield* Web.see(page, "off, as")
      expect((yield* Box.get<Status>(service, "/status")).connections).toEqual([])
      yield* Effect.promise(() => box.check())
      yield* stored(service)
      yield* Effect.promise(() => page.getByRole("button", { name: /^Forget/ }).click())
      yield* Web.see(page, "None yet.")
      expect(yield* Box.get(service, "/connections")).toEqual([])
      expect(complaints).toEqual([])
    })
  )
})
