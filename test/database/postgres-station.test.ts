import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Given, givenStation, sha256Of } from '../support/given.ts'
import { postgresMissing, type PostgresServer, startPostgres } from '../support/postgres-server.ts'

let server: PostgresServer
let given: Given
beforeAll(async () => {
  expect(await postgresMissing()).toBeNull()
  server = await startPostgres()
  given = await givenStation({ fresh: true, settings: { databaseUrl: await server.create('station') } })
})
afterAll(async () => {
  await given?.close()
  await server?.stop()
})

it('B1 a station on PostgreSQL creates, changes, finds and serves', async () => {
  const bytes = Buffer.from('what the camera saw')
  const { evidenceId, resourceId, sha256 } = await given.completed(bytes, { name: 'clip.bin' })
  expect(sha256).toBe(sha256Of(bytes))
  const found = await given.expecting(200, given.call('GET', `${given.documents}/evidence/${evidenceId}`))
  expect(found.EvidenceId).toBe(evidenceId)
  expect(resourceId).toBeTruthy()
})
