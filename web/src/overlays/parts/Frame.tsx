/**
 * The frame of an overlay: the window, or its place in a layout. Its content is sized in hundredths of the frame, which the frame
 * sets as style properties, because container units are newer than the browser of OBS 28 to 30.2 (Chromium 103).
 */
import type { ComponentChildren } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/** A frame that is not wider than this many times its height stacks its content. */
const TALL = 1.2

const measure = (frame: HTMLElement) => {
  const { clientHeight: height, clientWidth: width } = frame
  frame.style.setProperty("--w", `${width / 100}px`)
  frame.style.setProperty("--h", `${height / 100}px`)
  frame.style.setProperty("--min", `${Math.min(width, height) / 100}px`)
  frame.classList.toggle("tall", width <= TALL * height)
}

export const Frame = ({
  place,
  children
}: {
  /** Its place in a layout. */
  place?: Readonly<Record<"left" | "top" | "width" | "height", string>>
  children: ComponentChildren
}) => {
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = frame.current!
    for (const [name, value] of Object.entries(place ?? {})) element.style.setProperty(name, String(value))
    measure(element)
  }, [JSON.stringify(place)])
  useLayoutEffect(() => {
    const element = frame.current!
    const resized = new ResizeObserver(() => measure(element))
    resized.observe(element)
    return () => resized.disconnect()
  }, [])
  return (
    <div class={place === undefined ? "frame" : "frame placed"} ref={frame}>
      {children}
    </div>
  )
}
