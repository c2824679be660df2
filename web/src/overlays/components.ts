/// <reference types="vite/client" />
/** What draws each of the catalog: for `gauges` the `Overlay` of `Gauges.tsx`. */
import type { ComponentType } from "preact"
import type { Options } from "./options.ts"

type OverlayComponent = ComponentType<{ options: Options }>

const components = import.meta.glob<OverlayComponent>("./*.tsx", { eager: true, import: "Overlay" })

/** Of an overlay in the catalog, by its name. */
export const componentOf = (name: string): OverlayComponent =>
  components[`./${name.charAt(0).toUpperCase()}${name.slice(1)}.tsx`]!
