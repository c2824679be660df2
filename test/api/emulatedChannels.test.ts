/** The channels of emulated games as a client of the service sees them: those of the session, and live values. */
import { expect } from "@effect/vitest"
import { Effect } from "effect"
import { driving } from "../../simulator/emulators/driving.ts"
import { emulatorNamed } from "../../simulator/emulators/index.ts"
import { connectBody } from "../../simulator/emulators/serveEmulator.ts"
import { layer as drivers } from "../../src/simulators/drivers/index.ts"
import { freePort } from "../simulators/udp/udp.ts"
import { framesOptions, scene } from "../simulators/drivers/emulating.ts"
import { type Inside, inside, serviceInside } from "../support/inside.ts"
import { sending } from "../support/service.ts"
import { seen, watching } from "./watching.ts"

interface Listed {
  readonly name: string
  readonly group: string
  readonly samples: number
}

const wheels = (name: string) => ["fl", "fr", "rl", "rr"].map((wheel) => `${name}_${wheel}`)

interface Expected {
  readonly protocol: string
  /** Patterns for the live route, and the names that match. */
  readonly channels: string
  readonly live: ReadonlyArray<string>
}

/** One game of each kind of link, as test/support/emulated.ts has them, and names from several groups of it, some of them its own. */
const all: ReadonlyArray<Expected> = [
  {
    protocol: "gt7",
    channels: "fuel*,tyre_*",
    live: ["fuel", "fuel_capacity", "fuel_fraction", ...wheels("tyre_surface_temperature")]
  },
  {
    protocol: "assetto-corsa",
    channels: "g_*,wheel_load_*",
    live: ["g_lateral", "g_longitudinal", "g_vertical", ...wheels("wheel_load")]
  },
  // In a race the game reports how far the fuel goes in another way than elsewhere.
  {
    protocol: "f1-2025",
    channels: "fuel_m*,tyre_age,tyre_wear_*",
    live: ["fuel_mass", "fuel_mass_capacity", "tyre_age", ...wheels("tyre_wear")]
  },
  {
    protocol: "lfs",
    channels: "fuel*,oil_*,yaw",
    live: ["fuel_fraction", "oil_pressure", "oil_temperature", "yaw"]
  }
]

interface Reported {
  readonly port: number
  readonly session_id: number | null
  readonly samples_rejected: number
}

const connectionAt = (status: unknown, port: number): Reported | undefined =>
  (status as { readonly connections: ReadonlyArray<Reported> }).connections.find(
    (connection) => connection.port === port
  )

/** The session of the connection to this port; null before it has begun. */
const sessionOf = (status: unknown, port: number): number | null =>
  connectionAt(status, port)?.session_id ?? null

/** Connects to an emulator until the scope ends, and looks at what a client sees of it. */
const expectChannels = Effect.fn(function* (running: Inside, { channels, live, protocol }: Expected) {
  const kind = emulatorNamed(protocol)!
  const drive = driving({ ...framesOptions({ laps: 0 }), speed: 4 })
  const at = yield* Effect.orDie(
    kind.serve({ scene, host: "127.0.0.1", port: yield* freePort, drive, spoil: (send) => send })
  )
  const connected = yield* running.json("/api/v1/connect", sending("POST", connectBody(kind, scene, at)))
  expect(connected).toMatchObject({ status: 200, body: { simulator: kind.simulator } })
  const begun = yield* Effect.repeat(running.json("/api/v1/status"), {
    until: ({ body }) => sessionOf(body, at.port) !== null
  })
  const id = sessionOf(begun.body, at.port)
  const client = yield* watching(running, `?session_id=${id}&channels=${channels}`)
  const samples = () => client.received.flatMap(({ json }) => ("channels" in json ? [json] : []))
  const newest = () =>
    (samples().at(-1) as { readonly channels?: Readonly<Record<string, number | null>> } | undefined)
      ?.channels
  // A channel has a value once a row of its group has arrived after the client began to watch it.
  yield* seen(() => samples().length > 20 && Object.values(newest()!).every((value) => value !== null))
  expect(Object.keys(newest()!).toSorted()).toEqual(live.toSorted())
  const { body } = yield* Effect.repeat(running.json(`/api/v1/${id}/channels`), {
    until: ({ body: listed }) =>
      (listed as ReadonlyArray<Listed>).some(({ group, samples }) => group !== "points" && samples > 20)
  })
  const listed = (body as ReadonlyArray<Listed>).map(({ name }) => name)
  expect(listed).toEqual(expect.arrayContaining([...live]))
  const status = yield* running.json("/api/v1/status")
  expect(connectionAt(status.body, at.port)).toMatchObject({ samples_rejected: 0 })
})

inside("channels of emulated games are listed, and sent live", () =>
  Effect.gen(function* () {
    const running = yield* serviceInside({ drivers })
    yield* Effect.forEach(all, (one) => Effect.scoped(expectChannels(running, one)), { discard: true })
  })
)
