/**
 * S3 for CAD push: an API key is used in every way it can be, well and wrongly, then looked for in every place that the station writes to
 * and in everything that it answered: database, ledger, log, keys, snapshot.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { callControl } from '../../../server/platform/control/control.ts'
import { ADMINISTRATOR, type Json, OS_USER } from '../../support/given.ts'
import { type ConnectionFile, signIn } from '../../support/integrator.ts'
import { startStation, temporaryFolder } from '../../support/station.ts'
import { forms } from '../sessions/secret-forms.ts'
import { EVENTS, MESSAGES } from './world.ts'

const START = '2026-11-20T02:00:00Z'
const PAGE = 'https://dispatch.example'
const event = (): Json => ({ eventId: randomUUID(), eventStartTimeUtc: START })

function written(folder: string): Buffer {
  const files = (readdirSync(folder, { recursive: true }) as string[]).map((name) => path.join(folder, name))
  return Buffer.concat(files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file)))
}

it('S3 an API key is in no log, ledger, page of the database, answer or snapshot', { timeout: 240_000 }, async () => {
  const { dir, dispose } = await temporaryFolder('cad-secrets')
  const data = path.join(dir, 'data')
  const station = await startStation({ data, env: { SALLYPORT_LOG_LEVEL: 'trace', SALLYPORT_RESERVE_BYTES: '65536' } })
  const answers: string[] = []
  const keys: string[] = []
  try {
    const command = async (name: string, args: Json): Promise<Json> =>
      (await callControl(data, { command: name, args, user: OS_USER }, () => {}, new AbortController().signal))?.result
    await command('setup', ADMINISTRATOR)
    const integration = async (name: string, group: string | null, policies: string[]): Promise<ConnectionFile> =>
      (await command('integration.create', { name, policies, group, baseUrl: station.url })).connection
    const chief = await signIn(await integration('chief', 'Account Administrators', []), station.url)
    const dispatch = await integration('dispatch', null, ['PushCadEvents'])
    const send = async (method: string, address: string, headers: Record<string, string>, body?: Json) => {
      const reply = await fetch(`${station.url}${address}`, {
        method,
        redirect: 'manual',
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      return { status: reply.status, all: `${JSON.stringify([...reply.headers])}\n${text}`, text }
    }
    const asChief = async (method: string, address: string, body?: Json): Promise<Json> => {
      const { status, text } = await send(method, address, { authorization: `Bearer ${chief}` }, body)
      if (status >= 300) throw new Error(`${address}: ${status} ${text}`)
      return JSON.parse(text)
    }
    const place = `/userservice/api/v1/tenant/station/services/${dispatch.ServicePrincipalId}`
    const made = await asChief('POST', `${place}/api-keys`, { Name: 'Desk' })
    const gone = await asChief('POST', `${place}/api-keys`, { Name: 'Gone' })
    const { ApiKeyId } = gone.Service.ApiKeys.find((one: Json) => one.Name === 'Gone')
    await asChief('DELETE', `${place}/api-keys/${ApiKeyId}`)
    await asChief('PUT', `${place}/origins`, { Origins: [PAGE] })
    keys.push(String(dispatch['APIKey']), made.APIKey, gone.APIKey)
    const preflight = { origin: PAGE, 'access-control-request-method': 'POST' }
    for (const key of keys) {
      const inAddress = `${EVENTS}?apikey=${key}`
      const calls: readonly [method: string, address: string, headers: Record<string, string>, body?: Json][] = [
        ['POST', inAddress, {}, event()],
        ['POST', EVENTS, { 'x-api-key': key }, event()],
        ['POST', inAddress, {}, { eventId: 'without a start' }],
        ['POST', inAddress, { origin: PAGE }, event()],
        ['POST', inAddress, { origin: 'https://elsewhere.example' }, event()],
        ['OPTIONS', inAddress, preflight],
        ['POST', `${EVENTS}/batch?apikey=${key}`, {}, [event(), 7]],
        ['GET', `${EVENTS}/search?apikey=${key}&startTimeUtc=${START}`, {}],
        ['GET', `${EVENTS}/search?apikey=${key}&startTimeUtc=nonsense`, {}],
        ['GET', `${EVENTS}/singleredirect?apikey=${key}&eventId=none`, {}],
        ['GET', `/api/v1/case/station?apikey=${key}`, {}],
        ['GET', `/nowhere/at/all?apikey=${key}`, {}],
        ['GET', '/api/v1/case/station', { 'x-api-key': key }],
        ['GET', `/evidence?apikey=${key}`, {}],
        ['GET', MESSAGES, { authorization: `Bearer ${key}` }],
      ]
      for (const [method, address, headers, body] of calls)
        answers.push((await send(method, address, headers, body)).all)
    }
    for (const address of [place, '/cadservice/api/v1/overview/station', `${MESSAGES}?count=100`])
      answers.push(JSON.stringify(await asChief('GET', address)))
    for (let tries = 0; tries < 1200; tries++) {
      const { ApiKeys } = await asChief('GET', place)
      if (ApiKeys.every((one: Json) => one.LastUsedUtc !== null)) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    mkdirSync(path.join(dir, 'snapshots'))
    await command('backup', { to: path.join(dir, 'snapshots'), passphrase: null })
  } finally {
    await station.stop()
  }
  const snapshot = written(path.join(dir, 'snapshots'))
  const all = Buffer.concat([written(dir), Buffer.from(answers.join('\n')), Buffer.from(station.logs())])
  await dispose()
  // What is looked through is what was written: hashes, entries, refusals, lines of the log.
  for (const key of keys) {
    const hash = createHash('sha256').update(key).digest('hex')
    expect([all.includes(hash), snapshot.includes(hash)]).toEqual([true, true])
  }
  for (const known of [
    'service.apiKeyMade',
    'service.apiKeyRevoked',
    'cad.refused',
    'CadEventNotFound',
    '/nowhere/at/all',
  ])
    expect([known, all.includes(known)]).toEqual([known, true])
  const found = keys.flatMap((key, at) =>
    forms(key).flatMap((form) => (all.includes(form) ? [`key ${at}: ${form.toString().slice(0, 10)}…`] : [])),
  )
  expect(found).toEqual([])
})
