/** Passes connections on, byte for byte; as a program (`passOn.ts FROM TO`, each JSON), it does so in the namespace where it runs. */
import { connect, createServer, type ListenOptions, type NetConnectOpts } from "node:net"
import { pipeline } from "node:stream"

/** Listens at an address, and passes each connection on to another: a port, or a path of the file system. */
export const passOn = (from: ListenOptions, to: () => NetConnectOpts) => {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...to(), allowHalfOpen: true })
    // One that is reset resets the other.
    pipeline(near, far, () => undefined)
    pipeline(far, near, () => undefined)
  })
  return server.listen(from)
}

if (import.meta.main) {
  const [from, to] = process.argv.slice(2).map((text) => JSON.parse(text) as object)
  passOn(from as ListenOptions, () => to as NetConnectOpts).once("listening", () => console.log("listening"))
}
