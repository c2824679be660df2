/**
 * The channels of the points that a source sends. The others are absent (`ABSENT`). The source's declaration decides
 * which channels are absent, never the values.
 */
import { type Channel, channels } from "./pointChannels.ts"

/** Bit n is for the channel at index n of `channels`. */
export type ChannelSet = number

export const allChannels: ChannelSet = (1 << channels.length) - 1

/** Every point has a timestamp. */
const timestamp = 1 << channels.indexOf("timestamp")

/** These channels and the timestamp. */
export const channelSet = (...declared: ReadonlyArray<Channel>): ChannelSet =>
  declared.reduce((set, channel) => set | (1 << channels.indexOf(channel)), timestamp)

/** Whether the channel at index `c` of `channels` is in the set. */
export const isDeclared = (declared: ChannelSet, c: number): boolean => ((declared >>> c) & 1) === 1

/** The set without the channel at `c`, unless that is the timestamp. */
export const without = (declared: ChannelSet, c: number): ChannelSet => (declared & ~(1 << c)) | timestamp

/** The set with the channel at `c`. */
export const withAlso = (declared: ChannelSet, c: number): ChannelSet => declared | (1 << c)

/** All channels except these. */
export const allBut = (...undeclared: ReadonlyArray<Channel>): ChannelSet =>
  undeclared.reduce((set, channel) => without(set, channels.indexOf(channel)), allChannels)
