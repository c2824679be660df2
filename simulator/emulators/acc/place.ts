/** Heading and position of a car, in the form of a car's update. */

/** Converts degrees clockwise from +y to rad counter-clockwise from the x axis. The sheet does not say which of the two it is. */
export const yawOf = (degrees: number): number => {
  const yaw = Math.PI / 2 - (degrees * Math.PI) / 180
  return Math.atan2(Math.sin(yaw), Math.cos(yaw))
}

/** In every order. */
export const placed = (position: number) => ({ position, cupPosition: position, trackPosition: position })
