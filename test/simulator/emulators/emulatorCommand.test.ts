import { createSocket } from "node:dgram"
import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { emulators } from "../../../simulator/emulators/index.ts"
import { connectBody } from "../../../simulator/emulators/serveEmulator.ts"
import { readSimulatorSettings } from "../../../simulator/SimulatorSettings.ts"
import { connect } from "../../../src/operations/simulators.ts"
import { USUAL_PORTS } from "../../../src/simulators/connection/GamePorts.ts"
import { start } from "../simulatorProcess.ts"

const read = (...flags: ReadonlyArray<string>) => readSimulatorSettings("usage", flags, {})
const settings = (...flags: ReadonlyArray<string>) => Either.getOrThrow(read(...flags))
const sentence = (...flags: ReadonlyArray<string>) =>
  Either.match(read(...flags), {
    onLeft: (left) => (left._tag === "BadUsage" ? left.sentence : left._tag),
    onRight: () => "fine"
  })
const emulated = ["--protocol", "beamng"]

describe("settings", () => {
  it("name every emulator, and each name is unique", () => {
    for (const { protocol } of emulators) expect(settings("--protocol", protocol).protocol).toBe(protocol)
    expect(new Set(emulators.map(({ protocol }) => protocol)).size).toBe(emulators.length)
    expect(sentence("--protocol", "pigeon")).toMatch(/^--protocol must be one of native, .*beamng/)
  })

  it("send to a port on which the service listens by itself, unless the game is asked", () => {
    const asked = [9000, 9996, 33_739, 29_999]
    const others = emulators.filter(({ port }) => ![...USUAL_PORTS, ...asked].includes(port))
    expect(others.map(({ port, protocol }) => [protocol, port])).toEqual([])
  })

  it("give a connect that the service accepts unchanged", () => {
    const { circuit, driver, vehicle } = settings()
    const decode = Schema.decodeUnknownEither(connect.input, { onExcessProperty: "error" })
    for (const kind of emulators) {
      const body = connectBody(kind, { circuit, driver, vehicle }, { host: "127.0.0.1", port: kind.port })
      const decoded = decode(body)
      expect([kind.protocol, Either.map(decoded, Schema.encodeSync(connect.input))]).toEqual([
        kind.protocol,
        Either.right(body)
      ])
    }
  })

  it("have defaults", () => {
    const { duplicate, garbage, loss, pause, port, rate, reorder, restart, speed } = settings()
    expect({ port, rate, speed, pause, restart }).toEqual({
      port: undefined,
      rate: undefined,
      speed: 1,
      pause: [],
      restart: []
    })
    expect([loss, reorder, duplicate, garbage]).toEqual([0, 0, 0, 0])
  })

  it("read pauses, restarts and shares", () => {
    const flags = [
      "--pause",
      "30:10, 90.5:0.25",
      "--restart",
      "60,120.5",
      "--loss",
      "0.02",
      "--garbage",
      "0.5"
    ]
    expect(settings(...emulated, ...flags)).toMatchObject({
      pause: [
        { at: 30, seconds: 10 },
        { at: 90.5, seconds: 0.25 }
      ],
      restart: [60, 120.5],
      loss: 0.02,
      garbage: 0.5
    })
  })

  it.each([
    ["--pause", "30", "AT:SECONDS, or several separated by commas"],
    ["--pause", "30:0", "AT:SECONDS, or several separated by commas"],
    ["--pause", "30:5:1", "AT:SECONDS, or several separated by commas"],
    ["--pause", "a:b", "AT:SECONDS, or several separated by commas"],
    ["--pause", "30:5,", "AT:SECONDS, or several separated by commas"],
    ["--restart", "0", "seconds above 0, or several separated by commas"],
    ["--restart", "soon", "seconds above 0, or several separated by commas"],
    ["--loss", "0.6", "a share between 0 and 0.5"],
    ["--reorder", "2%", "a share between 0 and 0.5"],
    ["--duplicate", "-0.1", "a share between 0 and 0.5"],
    ["--garbage", "much", "a share between 0 and 0.5"]
  ])("turn down %s %s", (flag, given, expected) => {
    expect(sentence(...emulated, `${flag}=${given}`)).toBe(`${flag} must be ${expected}, got "${given}"`)
  })

  it.each([
    [[...emulated, "--packed"], "--packed is for the native protocol"],
    [[...emulated, "--replay", "x.ndjson"], "--replay is for the native protocol"],
    [[...emulated, "--speed", "max"], "--speed max is only for --replay: an emulator needs a number"],
    [["--speed", "2"], "--speed is for --replay, --capture and emulators"],
    [["--capture", "x", "--speed", "2"], "fine"],
    [["--capture", "x", "--speed", "max"], "--speed max is only for --replay: a capture needs a number"],
    [["--capture", "x", "--packed"], "--packed is for the native protocol"],
    [["--capture", "x", "--replay", "y"], "--capture and --replay exclude each other"],
    [[...emulated, "--capture", "x"], "--capture determines the protocol: leave out --protocol"],
    [["--capture", "x", "--pause", "1:1"], "--pause is for emulators: choose one with --protocol"],
    [["--pause", "1:1"], "--pause is for emulators: choose one with --protocol"],
    [["--restart", "1"], "--restart is for emulators: choose one with --protocol"],
    [["--loss", "0.1"], "--loss is for emulators: choose one with --protocol"],
    [["--reorder", "0.1"], "--reorder is for emulators: choose one with --protocol"],
    [["--duplicate", "0.1"], "--duplicate is for emulators: choose one with --protocol"],
    [["--garbage", "0.1", "--replay", "x"], "--garbage is for emulators: choose one with --protocol"],
    [[...emulated, "--speed", "2.5"], "fine"],
    [["--replay", "x", "--speed", "max"], "fine"]
  ])("are refused if they do not go together: %j", (flags, expected) => {
    expect(sentence(...flags)).toBe(expected)
  })
})

it.concurrent("a pushing emulator prints its target, sends there, and stops on SIGTERM", async () => {
  const socket = createSocket("udp4")
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve))
  const { port } = socket.address()
  const received = new Promise<ReadonlyArray<Buffer>>((resolve) => {
    const datagrams: Array<Buffer> = []
    socket.on("message", (bytes) => {
      datagrams.push(bytes)
      if (datagrams.length === 20) resolve(datagrams)
    })
  })
  const simulator = start(...emulated, "--port", String(port), "--rate", "100")
  expect(await simulator.ready).toBe(`feed on udp://127.0.0.1:${port}`)
  const datagrams = await received
  expect(datagrams.map(({ length }) => length).sort()).toEqual([...Array(10).fill(88), ...Array(10).fill(92)])
  socket.close()
  simulator.child.kill("SIGTERM")
  const { err, out, status } = await simulator.ended
  expect({ out, status }).toEqual({ out: `feed on udp://127.0.0.1:${port}\n`, status: 0 })
  expect(err).toContain(`"port":${port},"app_name":"telemetry","simulator":"beamng"`)
})

it.concurrent("an emulator takes any free port if it may, and the protocol's own if none is given", async () => {
  const free = start(...emulated, "--port", "0")
  const own = start(...emulated)
  expect(await free.ready).toMatch(/^feed on udp:\/\/127\.0\.0\.1:[1-9]\d+$/)
  expect(await own.ready).toBe("feed on udp://127.0.0.1:4444")
  free.child.kill("SIGINT")
  own.child.kill("SIGINT")
  expect((await free.ended).status).toBe(0)
  expect((await own.ended).status).toBe(0)
})

it.concurrent("an emulator ends with 2 and a sentence if settings do not go together", async () => {
  const { err, out, status } = await start(...emulated, "--packed").ended
  expect({ err, out, status }).toEqual({ err: "--packed is for the native protocol\n", out: "", status: 2 })
})

it.concurrent("an emulator ends with 1 and a sentence if the host does not exist", async () => {
  const { err, status } = await start(...emulated, "--host", "no-such-host.invalid").ended
  expect(status).toBe(1)
  expect(err).toMatch(/^Cannot listen on no-such-host\.invalid:4444: /)
})
