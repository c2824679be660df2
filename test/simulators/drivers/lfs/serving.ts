/** The emulated Live for Speed on sockets of this machine: a frame in each turn of the event loop. */
import { Deferred, Effect, FiberId } from "effect"
import type { Frame } from "../../../../simulator/emulators/Emulator.ts"
import { Frames, type FramesOptions } from "../../../../simulator/emulators/frames.ts"
import { serveGame } from "../../../../simulator/emulators/lfs/LfsEmulator.ts"
import { type GameOptions, LfsGame } from "../../../../simulator/emulators/lfs/LfsGame.ts"
import type { DrivenLap } from "../../../../simulator/model/lap.ts"
import { framesOptions, scene } from "../emulating.ts"

/** The player leaves the race some seconds after its end. */
const AFTER_S = 3

/** A turn of the event loop, in which sockets are read. */
const turn = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

export const served = Effect.fn(function* (
  options: { readonly game?: Partial<GameOptions>; readonly frames?: Partial<FramesOptions> } = {}
) {
  const settings = framesOptions(options.frames)
  const go = Deferred.unsafeMake<void>(FiberId.none)
  const over = Deferred.unsafeMake<void>(FiberId.none)
  const frames: Array<Frame> = []
  const driven: Array<DrivenLap> = []
  const game = new LfsGame(scene, options.game)
  const drive = Effect.fnUntraced(function* (onFrame: (frame: Frame) => void) {
    const source = new Frames(settings)
    yield* Deferred.await(go)
    for (let after = 0; after < AFTER_S * settings.rate;) {
      const frame = source.next()
      frames.push(frame)
      if (frame.lapEnded) driven.push(frame.lastLap!)
      onFrame(frame)
      yield* turn
      if (frame.finished) after++
    }
    yield* Deferred.succeed(over, undefined)
    return yield* Effect.never
  })
  const { port } = yield* serveGame(() => game, {
    scene,
    host: "127.0.0.1",
    port: 0,
    drive,
    spoil: (send) => send
  })
  return {
    port,
    game,
    frames,
    driven,
    /** Drives to the end of the last lap, and a little further. */
    drive: Effect.zipRight(Deferred.succeed(go, undefined), Deferred.await(over))
  }
})
