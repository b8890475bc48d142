import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { networkFailure } from './network-failure.ts'

const failureOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(url, () => reject(new Error('There was an answer')))
    request.on('error', (error) => resolve(networkFailure(error)))
  })

describe('errors of connections', () => {
  it('are sentences: nobody listens, the connection breaks, the name is unknown', async () => {
    const server = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await failureOf(`http://127.0.0.1:${port}/`)).toBe('The connection was closed before an answer came.')
    await new Promise((resolve) => server.close(resolve))
    expect(await failureOf(`http://127.0.0.1:${port}/`)).toBe(
      'Nothing listens at this address: the connection was refused.',
    )
    expect(await failureOf('http://nowhere.invalid/')).toContain('The name of this address was not found')
  })

  it('of several addresses say what the first one said; others speak for themselves', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' })
    expect(networkFailure(new AggregateError([refused, refused]))).toContain('the connection was refused')
    expect(networkFailure(new Error('Its answer is too long.'))).toBe('Its answer is too long.')
  })
})
