/// <reference types="vite/client" />
/** The component of each overlay in the catalog: for `gauges` the `Overlay` of `Gauges.tsx`. */
import type { ComponentType } from "preact"
import type { Options } from "./options.ts"

type OverlayComponent = ComponentType<{ options: Options }>

const components = import.meta.glob<OverlayComponent>("./*.tsx", { eager: true, import: "Overlay" })

/** The component of an overlay, by its name in the catalog. */
export const componentOf = (name: string): OverlayComponent =>
  components[`./${name.charAt(0).toUpperCase()}${name.slice(1)}.tsx`]!
