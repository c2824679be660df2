/**
 * The requested size of the kernel's buffer for datagrams that arrive while this process is busy: 1 kHz of 1.5 kB
 * datagrams for some seconds. Linux grants at most net.core.rmem_max (docs/simulators.md says how to raise it).
 */
export const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024
