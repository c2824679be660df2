/** Parts of a page whose code is loaded when they are first shown. */
import type { ComponentType } from "preact"
import { useEffect, useState } from "preact/hooks"
import { NotLoaded } from "./NotLoaded.tsx"

export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): ComponentType<Props> => {
  const Later = (props: Props) => {
    const [Shown, show] = useState<ComponentType<Props> | "failed">()
    useEffect(() => {
      load().then(
        (component) => show(() => component),
        () => show("failed")
      )
    }, [])
    if (Shown === "failed") return <NotLoaded />
    return Shown === undefined ? <p class="muted">Loading …</p> : <Shown {...props} />
  }
  return Later
}
