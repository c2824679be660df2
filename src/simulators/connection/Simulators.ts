/**
 * All connections to simulators, for the edge.
 *
 * A connection that a client asked for is kept in the catalog until a client ends it. When the layer begins, it opens
 * the kept connections again: after a restart of the service, and after the recording process was replaced.
 *
 * Over 250 lines: what is open and what is kept change together.
 */
import { Context, type Duration, Effect, Fiber, Layer, type Stream } from "effect"
import {
  addressKey,
  type Connected,
  type ConnectRequest,
  type EnableConnection,
  type KeptConnection,
  type ListedConnection
} from "../../domain/Connection.ts"
import type { Games } from "../../domain/ListeningPort.ts"
import { type Address, type ConnectError, StoreUnavailable } from "../../domain/errors.ts"
import { askingStore } from "../../platform/retryPolicies.ts"
import { run } from "../../platform/processes.ts"
import { Configurations } from "../../store/Configurations.ts"
import { Connections } from "../../store/Connections.ts"
import { Turns } from "../../platform/Turns.ts"
import { Drivers, type KnownSimulator } from "../Driver.ts"
import * as ConnectionActors from "./connectionActors.ts"
import * as ConnectLimiter from "./connectLimiter.ts"
import * as GamePorts from "./GamePorts.ts"
import { Handover } from "./Handover.ts"
import * as Handovers from "./Handover.ts"
import { UNLIMITED, wantedOf } from "./connectionsSettings.ts"
import type { SimulatorsStatus } from "./SimulatorsStatus.ts"

export class Simulators extends Context.Tag("simulators/Simulators")<
  Simulators,
  {
    /** Completes when the handshake has succeeded or failed. */
    readonly connect: (request: ConnectRequest) => Effect.Effect<Connected, ConnectError>
    /** Ends and forgets one connection, or all. Returns the number ended when everything received is stored. */
    readonly disconnect: (address: Address | undefined) => Effect.Effect<number, StoreUnavailable>
    /** The connections that are kept, by address. */
    readonly kept: Effect.Effect<ReadonlyArray<ListedConnection>, StoreUnavailable>
    /**
     * Opens a kept connection, which is then tried until it succeeds, or ends it. Returns false if there is none with
     * this address.
     */
    readonly enable: (wanted: EnableConnection) => Effect.Effect<boolean, StoreUnavailable>
    /** Listens for any game on the usual ports from now on, or no longer. */
    readonly listenFor: (games: Games) => Effect.Effect<void, StoreUnavailable>
    readonly status: Effect.Effect<SimulatorsStatus, StoreUnavailable>
    /** The newest status, and then each different one, at most four a second. */
    readonly statusChanges: Stream.Stream<SimulatorsStatus, StoreUnavailable>
    /** The kinds of simulators to which the service can connect. */
    readonly known: Effect.Effect<ReadonlyArray<KnownSimulator>, StoreUnavailable>
  }
>() {}

/** The connections of this process. When the layer ends, each is ended and what it received is stored. */
export const layer = (
  connectTimeout: Duration.Duration,
  { allows, games, isShared, perMinute, restores } = UNLIMITED
) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const drivers = yield* Drivers
      const { configuration } = yield* Configurations
      const { forgetConnection, keepConnection, keptConnections } = yield* Connections
      const parent = yield* Effect.scope
      const actors = yield* ConnectionActors.make
      /** A connect and a disconnect that overlap must leave in the catalog what is open. */
      const inCatalog = new Turns(1)
      const { inTurn } = ConnectLimiter.make(perMinute)
      /** The connections that the catalog had for this node, by `addressKey`. */
      const keptHere = new Map<string, Address>()

      const settingsFor = Effect.fnUntraced(function* (
        request: ConnectRequest,
        restored: boolean,
        takenOver?: number
      ) {
        const driver = yield* drivers.find(request.simulator, request.port)
        const { telemetryRate: rate } = yield* configuration
        return {
          request,
          driver,
          rate,
          timeout: connectTimeout,
          restored,
          takenOver,
          whileTaken:
            isShared && driver.reaches
              ? Handovers.whileTaken({ keptConnections, keptHere }, request)
              : Effect.void,
          allows,
          inTurn
        }
      })

      const gamePorts = GamePorts.make(
        {
          ports: games.ports,
          holder: (port) => {
            const onPort = actors
              .all()
              .filter(({ address, connection }) => address.port === port && connection.isBusy())
            if (onPort.some(({ connection }) => connection.listening() === undefined)) return "client"
            return onPort.length > 0 ? "automatic" : undefined
          },
          open: Effect.fnUntraced(function* (port: number, afterSilence: boolean) {
            const { connection } = yield* configuration
            const address = { host: GamePorts.AUTOMATIC_HOST, port }
            const request = {
              ...address,
              appName: connection.appName,
              simulator: GamePorts.AUTOMATIC_DRIVER,
              options: {}
            }
            const opening = Effect.flatMap(settingsFor(request, true), (settings) =>
              actors.ask(address, ({ connect }) => connect({ ...settings, automatic: { afterSilence } }))
            )
            // Nothing else can fail before a game has sent: such an attempt is made again.
            yield* Effect.catchAll(opening, (error) =>
              error._tag === "StoreUnavailable"
                ? error
                : Effect.logWarning(`No game can be recorded on UDP port ${port}`, error)
            )
          }),
          close: (port) =>
            actors.ask({ host: GamePorts.AUTOMATIC_HOST, port }, ({ disconnect }) => disconnect)
        },
        (settle) => Effect.asVoid(Effect.forkIn(Effect.retry(settle, askingStore), parent))
      )

      /** Goes on when the caller gives up: a port must not be left without a listener. */
      const open = (request: ConnectRequest, restored: boolean, takenOver?: number) =>
        Effect.flatMap(settingsFor(request, restored, takenOver), (settings) =>
          gamePorts.yielding(
            request.port,
            actors.ask(request, (connection) => connection.connect(settings))
          )
        ).pipe(Effect.interruptible, Effect.forkIn(parent), Effect.flatMap(Fiber.join))

      /** The state of a client's connection. */
      const stateAt = (address: Address) => {
        const connection = actors.at(address)
        return connection?.listening() === undefined ? connection?.status()?.state : undefined
      }

      const isOpen = (address: Address) => actors.at(address)?.active()

      /** Changes one that this node keeps. */
      const keepOwn = (kept: KeptConnection) =>
        Effect.catchTag(
          keepConnection(kept),
          "ConnectedElsewhere",
          (cause) => new StoreUnavailable({ store: "recording", cause })
        )

      const keptAt = (address: Address) =>
        Effect.map(keptConnections, (all) =>
          all.find(({ request }) => addressKey(request) === addressKey(address))
        )

      /** Whether other nodes would reach the same simulator at this address. */
      const isOneForAll = ({ port, simulator }: ConnectRequest) =>
        isShared ? Effect.map(drivers.find(simulator, port), ({ reaches }) => reaches) : Effect.succeed(false)

      /**
       * Opens it after no other node can any more: of nodes that are asked at the same time one has it. Until it was open once, it is
       * not opened again after a restart.
       */
      const openAlone = Effect.fnUntraced(function* (request: ConnectRequest) {
        if (isOpen(request) !== undefined) return yield* open(request, false)
        const before = yield* keptAt(request)
        yield* inCatalog.run(keepConnection({ request, enabled: false, run, onlyHere: true }))
        const undo = Effect.suspend(() => {
          if (isOpen(request) !== undefined) return Effect.void
          return before === undefined ? forgetConnection(request) : keepOwn(before)
        })
        return yield* Effect.onError(open(request, false), () => Effect.ignore(inCatalog.run(undo)))
      })

      const connect = Effect.fn("Simulators.connect")(function* (request: ConnectRequest) {
        const connected = yield* (yield* isOneForAll(request)) ? openAlone(request) : open(request, false)
        const keep = Effect.suspend(() => {
          const active = isOpen(connected)
          return active === undefined
            ? Effect.void
            : Effect.zipRight(
                keepConnection({ request: active, enabled: true, run }),
                Effect.sync(() => keptHere.set(addressKey(active), active))
              )
        })
        yield* Effect.catchAll(inCatalog.run(keep), (error) =>
          Effect.logWarning(
            `The connection to ${addressKey(request)} will not be opened again after a restart`,
            error
          )
        )
        return connected
      })

      /** Ends connections, and then does this with each of their addresses that was not connected meanwhile. */
      const end = Effect.fnUntraced(function* (
        address: Address | undefined,
        inCatalogToo: (address: Address) => Effect.Effect<void, StoreUnavailable>
      ) {
        const known = address === undefined ? undefined : yield* actors.knownAs(address)
        const ending = actors
          .all()
          .filter(
            (actor) =>
              actor.connection.status() !== undefined &&
              (known === undefined || addressKey(actor.address) === addressKey(known))
          )
        yield* Effect.forEach(ending, (actor) => actors.ask(actor.address, ({ disconnect }) => disconnect), {
          concurrency: "unbounded",
          discard: true
        })
        for (const { address: ended } of ending) gamePorts.ended(ended.port)
        const kept = known === undefined ? (yield* keptConnections).map(({ request }) => request) : [known]
        yield* Effect.forEach(kept, (one) => {
          keptHere.delete(addressKey(one))
          return inCatalog.run(
            Effect.suspend(() => (isOpen(one) === undefined ? inCatalogToo(one) : Effect.void))
          )
        })
        return ending.length
      }, Effect.ensuring(gamePorts.again))

      const restore = ({ request, run: ofRun }: KeptConnection, takenOver?: number) => {
        keptHere.set(addressKey(request), request)
        // The session into which a client had it record has ended with the run.
        const { sessionId: _ended, ...anew } = request
        return open(ofRun === run ? request : anew, true, takenOver).pipe(
          Effect.retry({
            while: ({ _tag }) => _tag === "StoreUnavailable",
            schedule: askingStore
          }),
          Effect.catchAll((error) =>
            Effect.logError(`The connection to ${addressKey(request)} could not be restored`, error)
          )
        )
      }

      const enable = Effect.fn("Simulators.enable")(function* ({ enabled, ...address }: EnableConnection) {
        const kept = yield* keptAt(address)
        if (kept === undefined) return false
        const wanted = { ...kept, enabled, run }
        if (enabled) {
          yield* keepOwn(wanted)
          yield* restore(kept)
        } else yield* end(address, () => keepOwn(wanted))
        return true
      })

      const restoreKept = Effect.flatMap(keptConnections, (all) =>
        Effect.forEach(wantedOf(all, restores), (kept) => restore(kept), {
          concurrency: "unbounded",
          discard: true
        })
      )
      const listenFor = (wanted: Games) => gamePorts.listenFor(games.always ? "auto" : wanted)
      const restoreAll = Effect.zipRight(
        restoreKept,
        Effect.flatMap(configuration, (configured) => listenFor(configured.games))
      )
      // A catalog that is away must not keep the service from starting.
      const later = Effect.catchAllCause(Effect.retry(restoreAll, askingStore), (cause) =>
        Effect.logError("The kept connections could not be opened", cause)
      )
      yield* Effect.catchAllCause(restoreAll, () => Effect.forkScoped(later))

      const handover = Handovers.make({
        drivers,
        keptConnections,
        keptHere,
        isOpen: (address) => actors.at(address) !== undefined,
        open: restore,
        end: (address) =>
          actors.at(address) === undefined ? Effect.void : actors.ask(address, ({ disconnect }) => disconnect)
      })

      return Context.make(Handover, handover).pipe(
        Context.add(Simulators, {
          connect,
          disconnect: Effect.fn("Simulators.disconnect")((address) => end(address, forgetConnection)),
          kept: Effect.map(keptConnections, (all) =>
            all.map(({ enabled, request }): ListedConnection => ({
              host: request.host,
              port: request.port,
              appName: request.appName,
              simulator: request.simulator ?? null,
              enabled,
              state: stateAt(request) ?? "off"
            }))
          ),
          enable,
          listenFor,
          known: drivers.known,
          status: Effect.sync(actors.status),
          statusChanges: actors.changes
        })
      )
    })
  )
