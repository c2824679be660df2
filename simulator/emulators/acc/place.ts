/** How and in which place a car stands, as a car's update tells it. */

/** rad counter-clockwise from the x axis, of degrees clockwise from +y. The sheet does not say which it is. */
export const yawOf = (degrees: number): number => {
  const yaw = Math.PI / 2 - (degrees * Math.PI) / 180
  return Math.atan2(Math.sin(yaw), Math.cos(yaw))
}

/** In every order. */
export const placed = (position: number) => ({ position, cupPosition: position, trackPosition: position })
