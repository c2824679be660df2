/** After this long without a datagram a link of a game that sends unasked is lost, s: games that are paused, or in a menu, send
 * nothing, and the F1 sheet warns against taking 10 s for the end. */
export const SILENT_AFTER_S = 60
