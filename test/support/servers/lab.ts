/**
 * Machines on a network of their own: each is a Linux network namespace with one address, on a bridge in a namespace beside them. A
 * machine can be cut off as by a pulled cable, without a reset, and its own network can be restarted. Nothing reaches another network.
 */
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import * as net from "node:net"
import { join } from "node:path"
import { Effect } from "effect"
import type { Need } from "../needing.ts"
import * as Box from "../processes.ts"

const isPossible =
  spawnSync("ip", ["-Version"]).status === 0 && spawnSync("unshare", ["--net", "true"]).status === 0

/** Not each container of a CI may make a namespace. */
export const labHere: Need = {
  missing: isPossible ? undefined : "network namespaces need Linux, root and iproute2"
}

const NETWORK = "10.213.77"

/** Accepts at a path of the file system, which all namespaces share, what goes on to the address: run inside of a namespace. */
const PASS_ON = `const net = require("node:net")
const [path, host, port] = process.argv.slice(1)
const server = net.createServer((near) => {
  const far = net.connect(Number(port), host)
  near.on("error", () => far.destroy()).on("close", () => far.destroy()).pipe(far)
  far.on("error", () => near.destroy()).on("close", () => near.destroy()).pipe(near)
})
server.listen(path, () => console.log("listening"))`

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

  let passed = 0
  /** An address on this machine's loopback that stands for one on the host's. */
  const reach = Effect.fnUntraced(function* (host: Host, far: string) {
    const { hostname, port, protocol } = new URL(far)
    const path = join(folder, `${passed++}.sock`)
    yield* Box.startProgram("ip", inside(host, process.execPath, ["-e", PASS_ON, path, hostname, port]))
    const near = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const accepting = net.createServer((one) => {
          const other = net.connect(path)
          one
            .on("error", () => other.destroy())
            .on("close", () => other.destroy())
            .pipe(other)
          other
            .on("error", () => one.destroy())
            .on("close", () => one.destroy())
            .pipe(one)
        })
        accepting.listen(0, "127.0.0.1")
        await once(accepting, "listening")
        return accepting
      }),
      (accepting) => Effect.sync(() => accepting.close())
    )
    return `${protocol}//127.0.0.1:${(near.address() as net.AddressInfo).port}`
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
