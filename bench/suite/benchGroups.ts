/** Made-up channels beyond the ten, as the feeds of benchmarks send them. */

const MAX_GROUP_CHANNELS = 50

/** Groups with this many channels in total. */
export const channelGroups = (count: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(count / MAX_GROUP_CHANNELS) }, (_, group) =>
    Array.from(
      { length: Math.min(MAX_GROUP_CHANNELS, count - group * MAX_GROUP_CHANNELS) },
      (_, c) => `bench_${group}_${c}`
    )
  )

/**
 * A channel's values at these times. Of each four channels one is constant, one is a temperature to a tenth, one is a
 * step, and one moves as suspension does, in 32-bit floats.
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
