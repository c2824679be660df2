/**
 * The allowed targets of drivers that send or open a connection. Sockets and name lookups are stand-ins that only record their
 * calls: nothing leaves this machine, whatever the address.
 */
import dgram from "node:dgram"
import type { LookupAddress } from "node:dns"
import dns from "node:dns/promises"
import { syncBuiltinESMExports } from "node:module"
import net, { isIP, isIPv6 } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { Drivers } from "../../src/simulators/Driver.ts"
import { layer as allDrivers } from "../../src/simulators/drivers/index.ts"
import { linkOptions } from "./drivers/interpreting.ts"

const network = {
  /** The sockets that drivers made, and their targets. */
  sockets: [] as Array<string>,
  /** The addresses to which a connection would be opened. */
  dialled: [] as Array<string>,
  names: new Map<string, ReadonlyArray<string>>()
}

const lookup = async (host: string, options: { readonly all?: boolean }) => {
  const found = (network.names.get(host) ?? [host]).map((address): LookupAddress => ({
    address,
    family: isIPv6(address) ? 6 : 4
  }))
  return options.all === true ? found : found[0]
}

/** The options with which a driver opens a TCP connection. */
interface Dialled {
  readonly host: string
  readonly lookup?: (
    host: string,
    options: { readonly all: true },
    done: (error: null, found: ReadonlyArray<LookupAddress>) => void
  ) => void
}

const dial = (options: Dialled) => {
  network.sockets.push("tcp")
  if (isIP(options.host) > 0 || options.lookup === undefined) network.dialled.push(options.host)
  else {
    options.lookup(options.host, { all: true }, (_, found) =>
      network.dialled.push(...found.map(({ address }) => address))
    )
  }
  throw new Error("stand-in")
}

const createSocket = () => {
  network.sockets.push("udp")
  throw new Error("stand-in")
}

// The stand-ins are in Node's own modules, because the drivers are loaded as they are built, where `vi.mock` has no effect.
const real = {
  lookup: dns.lookup,
  createConnection: net.createConnection,
  connect: net.connect,
  createSocket: dgram.createSocket
}
const standIns = { lookup, createConnection: dial, connect: dial, createSocket } as unknown as typeof real

const use = (functions: typeof real) => {
  dns.lookup = functions.lookup
  net.createConnection = functions.createConnection
  net.connect = functions.connect
  dgram.createSocket = functions.createSocket
  syncBuiltinESMExports()
}

beforeAll(() => use(standIns))
afterAll(() => use(real))

beforeEach(() => {
  network.sockets.length = 0
  network.dialled.length = 0
  network.names.clear()
})

/** Drivers that send or open a connection. */
const REACHING = ["native", "assetto-corsa", "acc", "gt7", "lfs"]

const opening = (simulator: string, host: string, allows?: (host: string, address: string) => boolean) =>
  Effect.gen(function* () {
    const driver = yield* (yield* Drivers).find(simulator, 9)
    const options = { ...linkOptions(), host, port: 9, ...(allows === undefined ? {} : { allows }) }
    return yield* Effect.either(Effect.as(Effect.scoped(driver.open(options)), "opened"))
  }).pipe(
    // The stand-ins' own error.
    Effect.catchAllDefect(() => Effect.succeed(Either.right("reached the socket"))),
    Effect.provide(Layer.provideMerge(allDrivers, Drivers.layer))
  )

const refused = (kind: string) => ({ _tag: "TargetNotAllowed", kind })

const forbidden: ReadonlyArray<readonly [address: string, kind: string]> = [
  ["169.254.169.254", "link-local"],
  ["169.254.0.1", "link-local"],
  ["fe80::1", "link-local"],
  ["fe80::1%eth0", "link-local"],
  ["::ffff:169.254.169.254", "link-local"],
  ["::ffff:a9fe:a9fe", "link-local"],
  ["64:ff9b::a9fe:a9fe", "link-local"],
  ["2002:a9fe:a9fe::1", "link-local"],
  ["::169.254.169.254", "link-local"],
  ["::a9fe:a9fe", "link-local"],
  ["::a9fe:a9fe%eth0", "link-local"],
  ["::ffff:0:a9fe:a9fe", "link-local"],
  ["64:ff9b:1::a9fe:a9fe", "link-local"],
  ["64:ff9b:1:a9fe:a9:fe00::", "link-local"],
  // Teredo: the client's bits are turned.
  ["2001:0:c000:201:0:0:5601:5601", "link-local"],
  ["2001:0:a9fe:a9fe::1", "link-local"],
  ["::100.100.100.200", "metadata"],
  ["2002:6464:64c8::", "metadata"],
  ["::ffff:0:a83f:8110", "metadata"],
  ["64:ff9b::224.0.0.1", "multicast"],
  ["::255.255.255.255", "broadcast"],
  ["2001:0:c000:201:0:0:0:0", "broadcast"],
  ["::2", "unspecified"],
  ["::ffff:0.0.0.0", "unspecified"],
  ["fd00:ec2::254", "metadata"],
  ["100.100.100.200", "metadata"],
  ["168.63.129.16", "metadata"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["ff02::1", "multicast"],
  ["255.255.255.255", "broadcast"],
  ["127.255.255.255", "broadcast"],
  ["0.0.0.0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["::", "unspecified"]
]

const allowed: ReadonlyArray<string> = [
  "192.168.1.20",
  "127.0.0.1",
  "::1",
  "::192.168.1.20",
  "::ffff:192.168.1.20",
  "64:ff9b::192.168.1.20",
  "2002:c0a8:114::1",
  "2001:0:c000:201::3f57:feeb",
  "2001:db8::a9fe:a9fe",
  "fd12:3456::a9fe:a9fe"
]

const only = (_: string, address: string) => address === "10.0.0.1"

describe.each(REACHING)("%s", (simulator) => {
  it.effect("makes no socket for a forbidden address", () =>
    Effect.gen(function* () {
      for (const [address, kind] of forbidden) {
        expect([address, Either.flip(yield* opening(simulator, address))]).toEqual([
          address,
          Either.right(expect.objectContaining(refused(kind)))
        ])
      }
      expect(network.sockets).toEqual([])
    })
  )

  it.effect("makes no socket for a name or a number that resolves to a forbidden address", () =>
    Effect.gen(function* () {
      network.names.set("innocent.example", ["169.254.169.254"])
      network.names.set("2852039166", ["169.254.169.254"])
      for (const name of ["innocent.example", "2852039166"]) {
        expect(yield* opening(simulator, name)).toMatchObject({ left: refused("link-local") })
      }
      expect(network.sockets).toEqual([])
    })
  )

  it.effect("makes no socket for a host that is not in the allowed list", () =>
    Effect.gen(function* () {
      expect(yield* opening(simulator, "10.0.0.2", only)).toMatchObject({ left: refused("unlisted") })
      expect(network.sockets).toEqual([])
      yield* opening(simulator, "10.0.0.1", only)
      expect(network.sockets).not.toEqual([])
    })
  )

  it.effect("makes a socket for an allowed address", () =>
    Effect.gen(function* () {
      for (const address of allowed) {
        network.sockets.length = 0
        yield* opening(simulator, address)
        expect([address, network.sockets.length > 0]).toEqual([address, true])
      }
    })
  )
})

describe.each(["native", "lfs"])("%s", (simulator) => {
  it.effect("connects only to the allowed addresses of a name", () =>
    Effect.gen(function* () {
      network.names.set("both.example", ["169.254.169.254", "192.168.1.20", "fe80::1", "2001:db8::1"])
      yield* opening(simulator, "both.example")
      expect(network.dialled).toEqual(["192.168.1.20", "2001:db8::1"])
    })
  )
})

describe("a driver that only listens", () => {
  for (const host of ["0.0.0.0", "::"]) {
    it.effect(`listens on ${host}`, () =>
      Effect.gen(function* () {
        yield* opening("forza", host)
        expect(network.sockets).toEqual(["udp"])
      })
    )
  }
})
