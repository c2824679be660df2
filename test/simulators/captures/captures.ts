/** Packets of real games, from beside the checkout (../shared/data/captures). Tests that need them are left out without them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { SimulatorEvent } from "../../../src/domain/SimulatorEvent.ts"
import type { Interpreter } from "../../../src/simulators/udp/Protocol.ts"
import { EventBuffer } from "../../../src/simulators/EventBuffer.ts"
import { capturesHere, sharedFolder } from "../../support/sharedData.ts"

const folder = sharedFolder("data/captures")

export const haveCaptures = capturesHere.missing === undefined

export interface Captured {
  /** s since the first. */
  readonly time: number
  readonly bytes: Buffer
}

export const captureFile = (name: string): string => join(folder, `${name}.ndjson.gz`)

/** A capture's datagrams, in order. */
export const readCapture = (name: string): ReadonlyArray<Captured> =>
  gunzipSync(readFileSync(captureFile(name)))
    .toString()
    .trim()
    .split("\n")
    .map((line) => {
      const { hex, t } = JSON.parse(line) as { readonly t: number; readonly hex: string }
      return { time: t, bytes: Buffer.from(hex, "hex") }
    })

/** Arrival of a capture's first datagram, s. */
const BEGIN_S = 1000

/** The events of an interpreter whose datagrams arrive in their captured rhythm, all of them `after` seconds later than usual. */
export const eventsOfCapture = (
  interpreter: Interpreter,
  captured: ReadonlyArray<Captured>,
  after = 0
): Array<SimulatorEvent> => {
  const events = new EventBuffer()
  return captured.flatMap(({ bytes, time }) => {
    interpreter.datagram(bytes, BEGIN_S + after + time, events)
    return events.take()
  })
}
