/** A link without a socket: datagrams arrive evenly from 100 s on, and the test decides when it waits and when the link ends. */
import type { SimulatorEvent } from "../../../../src/domain/SimulatorEvent.ts"
import { EventBuffer } from "../../../../src/simulators/EventBuffer.ts"
import type { Interpreter } from "../../../../src/simulators/udp/Protocol.ts"
import { BEGIN_S } from "./drive.ts"

/** `every`: between two datagrams, s. */
export const linkTo = (reader: Interpreter, every: number) => {
  const events = new EventBuffer()
  let arrival = BEGIN_S
  const receive = (datagrams: ReadonlyArray<Buffer>): ReadonlyArray<SimulatorEvent> =>
    datagrams.flatMap((bytes) => {
      reader.datagram(bytes, arrival, events)
      arrival += every
      return events.take()
    })
  return {
    receive,
    /** These are the last ones: the link ends. */
    receiveAll: (datagrams: ReadonlyArray<Buffer>): ReadonlyArray<SimulatorEvent> => {
      const before = receive(datagrams)
      reader.end?.(events)
      return [...before, ...events.take()]
    },
    wait: (seconds: number) => void (arrival += seconds),
    now: () => arrival
  }
}
