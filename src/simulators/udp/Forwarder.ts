/**
 * Sends the datagrams of a link on to other programs, unchanged: several programs want one game's datagrams, and most games
 * send to one address.
 *
 * Only datagrams of the link's sender are forwarded, so that no other sender can make the service send. A program that does
 * not listen is ignored; a datagram that the system does not take is counted, and not kept.
 */
import type { Socket } from "node:dgram"
import { isIPv6 } from "node:net"
import { Effect } from "effect"
import { type Address, TargetNotAllowed } from "../../domain/errors.ts"
import type { ForwardCounts } from "../Driver.ts"
import { type AllowsAddress, allowedAddresses } from "../targets.ts"
import type { LocalPorts } from "./LocalPorts.ts"
import { bind, isLocal, plainAddress } from "./UdpSocket.ts"

/** While more than this waits in our socket, bytes, datagrams are counted as not forwarded. */
const MAX_QUEUED_BYTES = 1024 * 1024

interface Target {
  readonly socket: Socket
  readonly address: string
  readonly port: number
}

const ignore = () => undefined

const send = (bytes: Buffer, targets: ReadonlyArray<Target>, counts: ForwardCounts): void => {
  const done = (cause: Error | null) => {
    if (cause === null) counts.forwarded++
    else counts.notForwarded++
  }
  for (const { address, port, socket } of targets) {
    if (socket.getSendQueueSize() > MAX_QUEUED_BYTES) counts.notForwarded++
    else socket.send(bytes, port, address, done)
  }
}

export interface ForwardOptions {
  readonly to: ReadonlyArray<Address>
  readonly counts: ForwardCounts
  readonly allows: AllowsAddress | undefined
  /** Our port on which the link listens, if it is known. */
  readonly listensOn: number | undefined
}

/** Forwards until the scope ends. Addresses must satisfy the rules for connect targets, and are looked up once. */
export const forwarder = Effect.fn("forwarder")(function* (
  ports: LocalPorts,
  { allows, counts, listensOn, to }: ForwardOptions
) {
  const checked: Array<Address> = []
  for (const one of to) {
    const found = yield* allowedAddresses(one, allows).pipe(
      Effect.catchTag(
        "TargetNotAllowed",
        ({ kind }) => new TargetNotAllowed({ address: one, kind, field: "forward" })
      )
    )
    const host = plainAddress(found[0]!.address)
    checked.push({ host, port: one.port })
    if (!isLocal(host) && host !== "::1") continue
    yield* Effect.acquireRelease(
      Effect.suspend(() => {
        const end = one.port === listensOn ? undefined : ports.forwardTo(one.port)
        return end === undefined
          ? new TargetNotAllowed({ address: one, kind: "own", field: "forward" })
          : Effect.succeed(end)
      }),
      (end) => Effect.sync(end)
    )
  }
  const sockets = new Map<boolean, Socket>()
  const targets: Array<Target> = []
  for (const address of checked) {
    const is6 = isIPv6(address.host)
    const local = is6 ? "::" : "0.0.0.0"
    const socket =
      sockets.get(is6) ??
      (yield* bind(address, { local, port: 0, shared: false, onDatagram: ignore, onError: ignore }))
    sockets.set(is6, socket)
    targets.push({ socket, address: address.host, port: address.port })
  }
  return targets.length === 0 ? ignore : (bytes: Buffer) => send(bytes, targets, counts)
})
