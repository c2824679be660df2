/** A proxy to the service whose connections can be cut. */
import { connect, createServer, type AddressInfo, type Socket } from "node:net"
import { Effect } from "effect"
import type { Service } from "../../support/service.ts"

export interface Proxy {
  readonly url: string
  /** Breaks all connections, and refuses new ones until it is mended. */
  readonly cut: () => void
  readonly mend: () => void
}

export const proxyTo = ({ port }: Pick<Service, "port">) =>
  Effect.acquireRelease(
    Effect.async<Proxy & { readonly close: () => void }>((resume) => {
      const open = new Set<Socket>()
      let whole = true
      const cut = () => {
        whole = false
        for (const socket of open) socket.destroy()
      }
      const server = createServer((client) => {
        if (!whole) return client.destroy()
        const target = connect(port, "127.0.0.1")
        for (const [socket, other] of [
          [client, target],
          [target, client]
        ] as const) {
          open.add(socket)
          socket.on("error", () => undefined)
          socket.on("close", () => {
            open.delete(socket)
            other.destroy()
          })
          socket.pipe(other)
        }
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address() as AddressInfo
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${address.port}`,
            cut,
            mend: () => {
              whole = true
            },
            close: () => {
              cut()
              server.close()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )
