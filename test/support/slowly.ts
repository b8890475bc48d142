import { request } from 'node:http'
import type { Json } from './given.ts'

/** Headers at once, the body when `meanwhile` is over: permission is asked at the door, authority again when the bytes are in (promise U7). */
export const slowly = (
  address: string,
  token: string,
  body: string,
  waitMs: number,
  meanwhile: () => Promise<void>,
): Promise<{ status: number; json: Json; correlationId: string }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      address,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            json: JSON.parse(text),
            correlationId: String(response.headers['x-correlation-id']),
          }),
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.write(body.slice(0, 1))
    setTimeout(() => {
      meanwhile().then(() => outgoing.end(body.slice(1)), reject)
    }, waitMs)
  })
