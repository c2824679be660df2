/** Where the fields of a car info lie (sheet assetto-corsa-remote-telemetry, section 5); readers for packets of full length. */

type Reader<A> = (bytes: Buffer) => A

const i32 =
  (at: number): Reader<number> =>
  (bytes) =>
    bytes.readInt32LE(at)
const f32 =
  (at: number): Reader<number> =>
  (bytes) =>
    bytes.readFloatLE(at)
const flag =
  (at: number): Reader<boolean> =>
  (bytes) =>
    bytes[at] !== 0
/** Front left, front right, rear left, rear right. */
const wheels =
  (at: number): Reader<ReadonlyArray<number>> =>
  (bytes) =>
    [0, 4, 8, 12].map((wheel) => bytes.readFloatLE(at + wheel))

export const carInfo = {
  size: i32(4),
  speedKmh: f32(8),
  speedMph: f32(12),
  speedMs: f32(16),
  isAbsEnabled: flag(20),
  isAbsInAction: flag(21),
  isTcInAction: flag(22),
  isTcEnabled: flag(23),
  isInPit: flag(24),
  isEngineLimiterOn: flag(25),
  /** g. */
  accelerationUp: f32(28),
  accelerationAside: f32(32),
  accelerationAhead: f32(36),
  /** ms, of the lap under way, the last and the best; 0 for none. */
  lapTime: i32(40),
  lastLap: i32(44),
  bestLap: i32(48),
  /** Completed. */
  lapCount: i32(52),
  gas: f32(56),
  brake: f32(60),
  /** 1: the pedal is up. */
  clutch: f32(64),
  engineRpm: f32(68),
  /** Degrees of the steering wheel. */
  steer: f32(72),
  /** 0 reverse, 1 neutral, 2 first. */
  gear: i32(76),
  /** m. */
  cgHeight: f32(80),
  /** rad/s. */
  wheelAngularSpeed: wheels(84),
  slipAngle: wheels(100),
  slipAngleContactPatch: wheels(116),
  slipRatio: wheels(132),
  tyreSlip: wheels(148),
  ndSlip: wheels(164),
  /** N. */
  load: wheels(180),
  dy: wheels(196),
  mz: wheels(212),
  /** 0..5. */
  tyreDirtyLevel: wheels(228),
  /** rad. */
  camber: wheels(244),
  /** m. */
  tyreRadius: wheels(260),
  tyreLoadedRadius: wheels(276),
  suspensionHeight: wheels(292),
  /** 0..1 along the track. */
  carPositionNormalized: f32(308),
  carSlope: f32(312),
  /** m, y up. */
  x: f32(316),
  y: f32(320),
  z: f32(324)
} as const
