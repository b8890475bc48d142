/** What is sent to an upload whose evidence lies in the recycle bin (decisions 6). */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, Reply } from '../../support/given.ts'
import { type CasesWorld, casesWorld, type Person } from '../cases/world.ts'

let world: CasesWorld
let keeper: Person
beforeAll(async () => {
  world = await casesWorld()
  keeper = await world.person('keeper', ['DeleteCasesAndFiles', 'RestoreFromRecycleBin'])
})
afterAll(() => world.given.close())

const send = (method: string, place: string, body?: unknown): Promise<Reply> =>
  world.send(method, place, body, { as: keeper })
const done = (reply: Promise<Reply>): Promise<Json> => world.given.expecting(200, reply)
const code = async (reply: Promise<Reply>): Promise<unknown> => {
  const { status, json } = await reply
  return status < 400 ? status : [status, json?.ErrorCode ?? '']
}
const placeOf = (evidenceId: string): string => `${world.given.documents}/evidence/${evidenceId}`
const evidence = (): Promise<Json> =>
  world.given.expecting(201, send('POST', `${world.given.documents}/evidence`, { Name: 'Clip' }))

describe('an upload whose evidence is moved to the recycle bin', () => {
  /** As somebody sends them who never heard of it: [status, code], and nothing of JSON. */
  const sent = async (uri: string, comp: string, body: BodyInit): Promise<unknown> => {
    const reply = await fetch(`${uri}${comp}`, {
      method: 'PUT',
      body,
      headers: { 'x-ms-version': '2024-11-04', ...(comp === '' ? { 'x-ms-blob-type': 'BlockBlob' } : {}) },
    })
    const text = await reply.text()
    if (reply.ok) return reply.status
    expect(reply.headers.get('content-type')).toMatch(/^application\/xml/)
    const named = /<Code>(\w+)<\/Code>/.exec(text)?.[1]
    expect(reply.headers.get('x-ms-error-code')).toBe(named)
    return [reply.status, named]
  }
  const REFUSED = [409, 'ContainerBeingDeleted']
  const id = (name: string): string => Buffer.from(name).toString('base64')
  const block = (name: string): string => `&comp=block&blockid=${encodeURIComponent(id(name))}`
  const LIST = `<?xml version="1.0" encoding="utf-8"?><BlockList><Latest>${id('a')}</Latest></BlockList>`

  it('takes no block, no list and no blob, at once and before their bytes; restored it goes on', async () => {
    const made = await evidence()
    const place = placeOf(made.EvidenceId)
    const open = await world.given.expecting(201, send('POST', `${place}/resource`, { Name: 'cut.bin' }))
    expect(await sent(open.UploadUri, block('a'), 'kept')).toBe(201)
    await done(send('DELETE', place))
    expect(await sent(open.UploadUri, block('b'), 'lost')).toEqual(REFUSED)
    expect(await sent(open.UploadUri, '&comp=blocklist', LIST)).toEqual(REFUSED)
    expect(await sent(open.UploadUri, '', 'lost')).toEqual(REFUSED)
    await done(send('POST', `${place}/restore`))
    expect(await sent(open.UploadUri, '&comp=blocklist', LIST)).toBe(201)
    const whole = await done(send('POST', `${place}/resource/${open.ResourceId}/complete`, {}))
    expect([whole.State, whole.LengthInBytes]).toEqual(['UserCompleted', 4])
  })

  it('refuses the block whose bytes were on their way meanwhile', async () => {
    const made = await evidence()
    const place = placeOf(made.EvidenceId)
    const open = await world.given.expecting(201, send('POST', `${place}/resource`, { Name: 'late.bin' }))
    const { promise: deleted, resolve } = Promise.withResolvers<void>()
    const address = new URL(`${open.UploadUri}${block('a')}`)
    const answer = new Promise<number>((settle, fail) => {
      const request = httpRequest(address, { method: 'PUT', headers: { 'content-length': '8' } }, (reply) => {
        reply.resume().on('end', () => settle(reply.statusCode ?? 0))
      })
      request.on('error', fail)
      request.write('half', () => resolve(done(send('DELETE', place))))
      void deleted.then(() => request.end('rest'))
    })
    expect(await answer).toBe(409)
    await done(send('POST', `${place}/restore`))
    const complete = `${place}/resource/${open.ResourceId}/complete`
    expect(await code(send('POST', complete, {}))).toEqual([409, 'NothingUploaded'])
  })
})
