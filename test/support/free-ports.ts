/** Ports for servers that cannot be asked which one they took: PostgreSQL, Swift, nginx. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that systems give to outgoing connections (32768 on Linux, 49152 elsewhere). One of those could be taken by any connection
 * of this machine between its choice and the start of the server.
 */
const FIRST = 20_000
const LAST = 32_000
const given = new Set<number>()

/** @returns a port of 127.0.0.1 that nobody listens on, and that this process was not given before */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (given.has(port) || !(await isFree(port))) continue
    given.add(port)
    return port
  }
}

export const freePorts = async (count: number): Promise<number[]> => {
  const ports: number[] = []
  while (ports.length < count) ports.push(await freePort())
  return ports
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
