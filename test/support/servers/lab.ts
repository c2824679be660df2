/**
 * Machines on a network of their own: each is a Linux network namespace with one address, on a bridge in a namespace beside them. A
 * machine can be cut off as by a pulled cable, without a reset, and its own network can be restarted. Nothing reaches another network.
 */
import { spawnSync } from "node:child_process"
import type { AddressInfo, ListenOptions, NetConnectOpts } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import type { Need } from "../needing.ts"
import * as Box from "../processes.ts"
import { passingOn } from "./passingOn.ts"

const isPossible =
  spawnSync("ip", ["-Version"]).status === 0 && spawnSync("unshare", ["--net", "true"]).status === 0

/** Not each container of a CI may make a namespace. */
export const labHere: Need = {
  missing: isPossible ? undefined : "network namespaces need Linux, root and iproute2"
}

const NETWORK = "10.213.77"

const PASS_ON = fileURLToPath(new URL("passOn.ts", import.meta.url))

/** No machine has this address: a frame to it is lost, and its sender does not notice. */
const NOBODY = "02:00:00:00:00:00"

const ip = (...args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync("ip", args, { encoding: "utf8" })
  if (status !== 0) throw new Error(`ip ${args.join(" ")}: ${stderr}`)
}

let labs = 0

/** A network with these machines, until the scope ends. */
export const lab = Effect.fn(function* <Host extends string>(...hosts: ReadonlyArray<Host>) {
  const prefix = `telemetry-${process.pid}-${labs++}`
  const space = (name: string) => `${prefix}-${name}`
  const folder = yield* Box.folder
  const address = (host: Host) => `${NETWORK}.${2 + hosts.indexOf(host)}`
  const addressed = (host: Host) => {
    ip("-n", space(host), "addr", "add", `${address(host)}/24`, "dev", "eth0")
    ip("-n", space(host), "link", "set", "eth0", "up")
  }
  const made: Array<string> = []
  const make = (name: string) => {
    ip("netns", "add", space(name))
    made.push(space(name))
    ip("-n", space(name), "link", "set", "lo", "up")
  }
  yield* Effect.acquireRelease(Effect.void, () =>
    Effect.sync(() => {
      for (const name of made) spawnSync("ip", ["netns", "delete", name])
    })
  )
  yield* Effect.sync(() => {
    make("net")
    ip("-n", space("net"), "link", "add", "name", "br0", "type", "bridge")
    ip("-n", space("net"), "link", "set", "br0", "up")
    for (const host of hosts) {
      make(host)
      ip(
        "-n",
        space("net"),
        "link",
        "add",
        "name",
        `v-${host}`,
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        space(host)
      )
      ip("-n", space("net"), "link", "set", `v-${host}`, "master", "br0", "up")
      addressed(host)
    }
  })
  const inside = (host: Host, command: string, args: ReadonlyArray<string>) =>
    ["netns", "exec", space(host), command, ...args] as const

  let paths = 0
  /** A path of the file system, which all namespaces share. */
  const newPath = () => join(folder, `${paths++}.sock`)
  const passOnAt = (host: Host, from: ListenOptions, to: NetConnectOpts) =>
    Box.startProgram(
      "ip",
      inside(host, process.execPath, [PASS_ON, JSON.stringify(from), JSON.stringify(to)])
    )

  /** An address on this machine's loopback that stands for one on the host's. */
  const reach = Effect.fnUntraced(function* (host: Host, far: string) {
    const { hostname, port, protocol } = new URL(far)
    const path = newPath()
    yield* passOnAt(host, { path }, { host: hostname, port: Number(port) })
    const near = yield* passingOn({ port: 0, host: "127.0.0.1" }, () => ({ path }))
    return `${protocol}//127.0.0.1:${(near.address() as AddressInfo).port}`
  })

  return {
    address,
    /** Starts the built program on a machine; what it says it listens on can be reached from here. */
    start: Effect.fnUntraced(function* (host: Host, script: string, flags: ReadonlyArray<string>) {
      const program = join(Box.root, "dist/program", script)
      const running = yield* Box.startProgram("ip", inside(host, process.execPath, [program, ...flags]))
      return { ...running, address: yield* reach(host, running.address) }
    }),
    /** Starts any program on a machine; ready when its first line is there. */
    startProgram: (host: Host, command: string, args: ReadonlyArray<string>) =>
      Box.startProgram("ip", inside(host, command, args)),
    reach,
    /** Makes a server on this machine's loopback one of the host's; its address on the network. */
    serve: Effect.fnUntraced(function* (host: Host, server: string) {
      const { hostname, port: text } = new URL(server)
      const port = Number(text)
      const path = newPath()
      yield* passingOn({ path }, () => ({ host: hostname, port }))
      yield* passOnAt(host, { port }, { path })
      return server.replace(hostname, address(host))
    }),
    /** Loses everything between two machines: neither notices, and both reach the others. */
    separate: (one: Host, other: Host) =>
      Effect.sync(() => {
        for (const [from, to] of [
          [one, other],
          [other, one]
        ] as const) {
          const lost = ["lladdr", NOBODY, "dev", "eth0", "nud", "permanent"]
          ip("-n", space(from), "neigh", "replace", address(to), ...lost)
        }
      }),
    join: (one: Host, other: Host) =>
      Effect.sync(() => {
        ip("-n", space(one), "neigh", "delete", address(other), "dev", "eth0")
        ip("-n", space(other), "neigh", "delete", address(one), "dev", "eth0")
      }),
    /** Gives a machine one more address, as keepalived does: the others learn at once where it is now. */
    carry: (host: Host, extra: string) =>
      Effect.sync(() => {
        ip("-n", space(host), "addr", "add", `${extra}/24`, "dev", "eth0")
        for (const other of hosts) ip("-n", space(other), "neigh", "flush", "to", extra, "dev", "eth0")
      }),
    /** Pulls the machine's cable, and puts it in again. */
    cut: (host: Host) => Effect.sync(() => ip("-n", space("net"), "link", "set", `v-${host}`, "nomaster")),
    heal: (host: Host) =>
      Effect.sync(() => ip("-n", space("net"), "link", "set", `v-${host}`, "master", "br0")),
    /** Takes the machine's network down, with its address and routes, and brings it up again. */
    down: (host: Host) =>
      Effect.sync(() => {
        ip("-n", space(host), "link", "set", "eth0", "down")
        ip("-n", space(host), "addr", "flush", "dev", "eth0")
      }),
    up: (host: Host) => Effect.sync(() => addressed(host))
  }
})
