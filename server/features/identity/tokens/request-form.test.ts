import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readParameters } from './request-form.ts'

const read = (text: string) => readParameters('application/json', Readable.from([Buffer.from(text)]))

it('the members of a JSON object are the parameters of a token request', async () => {
  expect([...(await read('{"grant_type":"refresh_token","scope":"","count":5}'))]).toEqual([
    ['grant_type', 'refresh_token'],
  ])
})

it.each(['5', '"grant_type"', '["grant_type"]', '[]', 'null', 'true', '{', ''])(
  'a body of JSON that is no object is refused as that (S19): %s',
  async (text) => {
    await expect(read(text)).rejects.toThrow('The body is no JSON object.')
  },
)
