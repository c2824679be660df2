/** Every driver of the service. A new one adds its line here, and touches no other file. */
import { Layer } from "effect"
import { ListeningPosts } from "../datagrams/ListeningPosts.ts"
import * as Native from "./native/NativeDriver.ts"

export const layer = Layer.mergeAll(Native.layer).pipe(Layer.provide(ListeningPosts.layer))
