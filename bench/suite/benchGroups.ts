/** Channels beyond the ten, made up, as feeds of benchmarks tell them. */

const MAX_GROUP_CHANNELS = 50

/** The groups of so many channels, by the names of these. */
export const channelGroups = (count: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(count / MAX_GROUP_CHANNELS) }, (_, group) =>
    Array.from(
      { length: Math.min(MAX_GROUP_CHANNELS, count - group * MAX_GROUP_CHANNELS) },
      (_, c) => `bench_${group}_${c}`
    )
  )

/**
 * A channel's values at these times: of each four one is constant, one a temperature to a tenth, one a step, and one moves as
 * suspension does, in 32-bit floats.
 */
export const signal = (c: number, times: Float64Array): Float64Array =>
  times.map((time) => {
    switch (c % 4) {
      case 0:
        return c
      case 1:
        return Math.round(800 + 100 * Math.sin(time / 30 + c)) / 10
      case 2:
        return Math.floor(time / (5 + c)) % 4
      default:
        return Math.fround(0.05 * Math.sin(time * 40 + c) + 0.02 * Math.sin(time * 173 * (c + 1)))
    }
  })
