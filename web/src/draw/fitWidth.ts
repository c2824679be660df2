import type uPlot from "uplot"

/** Keeps a plot as wide as its place on the page; `height`: px. Returns what ends that, and removes the plot. */
export const fitWidth = (plot: uPlot, target: HTMLElement, height: number): (() => void) => {
  const resized = new ResizeObserver(() => plot.setSize({ width: target.clientWidth, height }))
  resized.observe(target)
  return () => {
    resized.disconnect()
    plot.destroy()
  }
}
