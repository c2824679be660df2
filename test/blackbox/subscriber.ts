/** A live client and everything that it received. */
import { once } from "node:events"
import { Effect } from "effect"
import { WebSocket } from "ws"
import type { Running } from "../support/processes.ts"

export interface Message {
  readonly type: string
  readonly session_id: number
  readonly data: Readonly<Record<string, unknown>>
}

export const subscribe = (service: Running, query = "") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = new WebSocket(`${service.address.replace("http", "ws")}/api/v1/telemetry/live${query}`)
      const messages: Array<Message> = []
      const closed = once(socket, "close") as Promise<[number]>
      socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString()) as Message))
      await once(socket, "open")
      return {
        socket,
        messages,
        closed: Effect.map(
          Effect.promise(() => closed),
          ([code]) => code
        )
      }
    }),
    ({ socket }) => Effect.sync(() => socket.terminate())
  )
