/** A canvas that is drawn when it is shown, resized, or has something else to draw. */
import { useEffect, useRef } from "preact/hooks"
import { colour } from "../theme.ts"

export const DiagramCanvas = ({
  draw,
  label,
  round = false
}: {
  draw: (canvas: HTMLCanvasElement) => void
  label: string
  /** The drawing needs as much height as width. */
  round?: boolean
}) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const target = canvas.current!
    // The observer fires at once, and again when the canvas is removed and has no size.
    const resized = new ResizeObserver(() => target.clientWidth > 0 && draw(target))
    resized.observe(target)
    return () => resized.disconnect()
  }, [draw])
  return <canvas class={round ? "diagram round" : "diagram"} role="img" aria-label={label} ref={canvas} />
}

export const looks = () => ({ line: colour("grid"), text: colour("muted") })
