const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether this page came over a network, and not from the very machine it is shown on. */
export const overNetwork = ({ hostname }: Pick<Location, 'hostname'>): boolean => !LOOPBACK.test(hostname)
