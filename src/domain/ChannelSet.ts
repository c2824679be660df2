/**
 * The channels of its points that a source tells. The others are absent (`ABSENT`): the source declares a channel
 * absent, and values never decide it.
 */
import { type Channel, channels } from "./pointChannels.ts"

/** Bit n stands for the channel at n of `channels`. */
export type ChannelSet = number

export const allChannels: ChannelSet = (1 << channels.length) - 1

/** Every point has a timestamp. */
const timestamp = 1 << channels.indexOf("timestamp")

/** These channels and the timestamp. */
export const channelSet = (...told: ReadonlyArray<Channel>): ChannelSet =>
  told.reduce((set, channel) => set | (1 << channels.indexOf(channel)), timestamp)

/** Whether the channel at `c` of `channels` is one of them. */
export const isTold = (told: ChannelSet, c: number): boolean => ((told >>> c) & 1) === 1

/** The set without the channel at `c`, unless that is the timestamp. */
export const without = (told: ChannelSet, c: number): ChannelSet => (told & ~(1 << c)) | timestamp

/** The set with the channel at `c`. */
export const withAlso = (told: ChannelSet, c: number): ChannelSet => told | (1 << c)

/** All channels but these. */
export const allBut = (...untold: ReadonlyArray<Channel>): ChannelSet =>
  untold.reduce((set, channel) => without(set, channels.indexOf(channel)), allChannels)
