/** UDP sockets as resources. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram"
import { lookup } from "node:dns/promises"
import { isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"
import { Effect } from "effect"
import { type Address, SimulatorRefused } from "../../domain/errors.ts"
import { RECEIVE_BUFFER_BYTES } from "./receiveBuffer.ts"

export type Datagram = (bytes: Buffer, sender: RemoteInfo) => void

/** The code of a failed system call, by which `operations/refusal.ts` finds its sentence; the message of another error. */
export const errorCode = (cause: unknown): string =>
  (cause as NodeJS.ErrnoException).code ?? (cause instanceof Error ? cause.message : String(cause))

/** The first address of a host; a literal address is returned unchanged. */
export const resolve = (address: Address) =>
  Effect.tryPromise({
    try: () => lookup(address.host, { verbatim: false }),
    catch: (cause) => new SimulatorRefused({ address, reason: errorCode(cause) })
  }).pipe(Effect.map((found) => found.address))

export const isWildcard = (address: string): boolean => address === "0.0.0.0" || address === "::"

/** A multicast group: programs join it to hear what is sent to it (224.0.0.0/4). */
export const isMulticast = (address: string): boolean => /^(22[4-9]|23\d)\.\d+\.\d+\.\d+$/.test(address)

export const isLoopback = (address: string): boolean => address.startsWith("127.") || address === "::1"

/** An address of this machine. */
export const isLocal = (address: string): boolean =>
  isLoopback(address) ||
  Object.values(networkInterfaces()).some((ones) => ones?.some((one) => one.address === address))

/** A socket of both families writes 1.2.3.4 as "::ffff:1.2.3.4". */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "")

/** The sender of a datagram: address and port. */
export const senderOf = ({ address, port }: RemoteInfo): string => {
  const plain = plainAddress(address)
  return `${plain.includes(":") ? `[${plain}]` : plain}:${port}`
}

const grow = (socket: Socket): void => {
  try {
    socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES)
  } catch {
    // Some systems refuse a size above their limit instead of granting less: their default stays.
  }
}

/** Joins on every interface, since it is unknown which of them leads to the sender's machine. Throws where none succeeds. */
const join = (socket: Socket, group: string): void => {
  const own = Object.values(networkInterfaces()).flatMap((ones = []) =>
    ones.filter(({ family }) => family === "IPv4")
  )
  const failures: Array<unknown> = []
  for (const { address } of own) {
    try {
      socket.addMembership(group, address)
    } catch (cause) {
      failures.push(cause)
    }
  }
  if (failures.length === own.length) throw failures[0] ?? new Error("no network to join the group on")
}

export interface BindOptions {
  /** Of this machine, or a wildcard. */
  readonly local: string
  /** 0: any free one. */
  readonly port: number
  /** Whether other programs may listen for the same broadcasts. */
  readonly shared: boolean
  /** A multicast group to join; undefined for none. */
  readonly group?: string | undefined
  readonly onDatagram: Datagram
  readonly onError: (reason: string) => void
}

/** A bound socket, closed with its scope. `address` is the one that errors name. */
export const bind = (address: Address, options: BindOptions) =>
  Effect.acquireRelease(
    Effect.async<Socket, SimulatorRefused>((resume) => {
      const refused = (cause: unknown) =>
        new SimulatorRefused({ address, reason: errorCode(cause), localPort: options.port })
      const socket = createSocket({
        type: isIPv6(options.local) ? "udp6" : "udp4",
        reuseAddr: options.shared
      })
      socket.once("error", (cause) => resume(refused(cause)))
      socket.bind(options.port, options.local, () => {
        grow(socket)
        try {
          if (options.group !== undefined) join(socket, options.group)
        } catch (cause) {
          socket.close()
          return resume(refused(cause))
        }
        socket.removeAllListeners("error")
        socket.on("error", (cause) => options.onError(errorCode(cause)))
        socket.on("message", options.onDatagram)
        resume(Effect.succeed(socket))
      })
    }),
    (socket) =>
      Effect.async<void>((resume) => {
        socket.close(() => resume(Effect.void))
      })
  )
