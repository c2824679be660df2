/** Made-up channels beyond the ten, as the feeds of benchmarks send them. */

const MAX_GROUP_CHANNELS = 50

/** The name of the group of this number, counted from 0. */
export const benchGroup = (number: number): string => `bench_${number}`

/** Names of the first channels of a group. */
export const channelNames = (group: number, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, c) => `${benchGroup(group)}_${c}`)

/** The groups of so many channels, by the names of these. */
export const channelGroups = (count: number): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from({ length: Math.ceil(count / MAX_GROUP_CHANNELS) }, (_, group) =>
    channelNames(group, Math.min(MAX_GROUP_CHANNELS, count - group * MAX_GROUP_CHANNELS))
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
