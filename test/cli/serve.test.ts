// @module-tag merge
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockStation } from '../../server/kernel/database/sqlite/station-lock.ts'
import { connectIntegrator, readConnectionFile, sha256 } from '../support/integrator.ts'
import type { Station } from '../support/station.ts'
import { ledger, makePlace, PASSWORD, type Place, running, say, start, sayJson } from './world.ts'

let place: Place
beforeAll(() => {
  place = makePlace('serve')
})
afterAll(() => place.remove())

describe('serve', () => {
  it('prints its address in exactly one line on stdout, and the next steps on stderr', async () => {
    const data = place.path('fresh')
    const serving = start(['serve', '--data', data, '--port', '0'])
    await serving.says(/^listening /m)
    const url = /^listening (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(serving.stdout())?.[1] as string
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await serving.says(/sallyport -- setup --username NAME --password-stdin/)
    await serving.says(/The station’s public key\. Keep it on paper.*\n {2}\S+\+[0-9a-f]{8}\+\S+\n/)
    serving.child.kill('SIGINT')
    const { code, stdout } = await serving.ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: `listening ${url}\n` })
    expect(ledger(data).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['station.started', 'station.stopped']),
    )
  })

  it('says that a new station began, and where, and says nothing of the next starts', async () => {
    const began = (data: string): RegExp =>
      new RegExp(`^There was no station in ${data}: a new one began there\\.`, 'm')
    const served = place.path('begun-by-serve')
    const starting = async (): Promise<string> => {
      const serving = start(['serve', '--data', served, '--port', '0'])
      await serving.says(/The station’s public key/)
      serving.child.kill('SIGTERM')
      return (await serving.ended).stderr
    }
    expect(await starting()).toMatch(began(served))
    expect(await starting()).not.toContain('There was no station')

    const ingested = place.path('begun-by-ingest')
    const ingest = async (): Promise<string> =>
      (await say(['ingest', place.folder('nothing')], { data: ingested })).stderr
    expect(await ingest()).toMatch(began(ingested))
    expect(await ingest()).not.toContain('There was no station')
  })

  it('ends with 0 when it is told to stop before it is ready', async () => {
    const serving = start(['serve', '--data', place.path('early'), '--port', '0'])
    // Whenever in the start it comes: the process has taken the folder by then.
    const deadline = Date.now() + 20_000
    while (!(await listens(place.path('early/station.sock'))) && Date.now() < deadline) await pause(5)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0, signal: null })
  })

  it('refuses other addresses than loopback, and lists every setting that cannot be used', async () => {
    const everywhere = await say(['serve', '--data', place.path('none'), '--host', '0.0.0.0', '--port', '0'])
    expect(everywhere).toMatchObject({ code: 1, stdout: '' })
    expect(everywhere.stderr).toMatch(/SALLYPORT_HOST/)

    const { code, stdout, stderr } = await say(['serve', '--data', place.path('none'), '--port', 'http'], {
      env: { SALLYPORT_TENANT: 'default', SALLYPORT_INGEST_LANES: '0', SALLYPORT_PROT: '1' },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    for (const name of ['PORT', 'TENANT', 'INGEST_LANES', 'PROT'])
      expect(stderr).toMatch(new RegExp(`SALLYPORT_${name}: `))
    expect(stderr).not.toMatch(/ at .*\.ts/)
  })

  it('refuses a port of the LAN that is none', async () => {
    const { code, stderr } = await say(['serve', '--port', '0', '--lan', '--lan-port', '70000'], {
      data: place.path('none'),
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/SALLYPORT_LAN_PORT: /)
  })

  it('waits for a command that is at work in its folder, and then starts', async () => {
    const data = place.folder('waits')
    const lock = lockStation(data)
    const serving = start(['serve', '--data', data, '--port', '0'])
    await serving.says(/The station starts when it has ended/)
    expect(serving.stdout()).toBe('')
    lock.release()
    await serving.says(/^listening /m)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0, signal: null })
  })

  it('ends with 0 when it is told to stop while it waits for a command', async () => {
    const data = place.folder('waits-no-more')
    const lock = lockStation(data)
    const serving = start(['serve', '--data', data, '--port', '0'])
    await serving.says(/The station starts when it has ended/)
    serving.child.kill('SIGTERM')
    expect(await serving.ended).toMatchObject({ code: 0, signal: null, stdout: '' })
    lock.release()
  })

  it('names a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => other.once('listening', resolve))
    const port = (other.address() as { port: number }).port
    const { code, stdout, stderr } = await say(['serve', '--port', String(port)], { data: place.path('taken') })
    other.close()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(new RegExp(`port ${port}\\b.*--port`))
  })
})

describe('a station that runs', () => {
  let station: Station
  beforeAll(async () => {
    station = await running(place.data)
  })
  afterAll(() => station.kill())

  it('keeps a second one out of its folder', async () => {
    const second = await say(['serve', '--port', '0'], { data: place.data })
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toMatch(/at work in .*only one ever writes there/)
    // A station does not end by itself: nobody waits for it.
    expect(second.stderr).not.toMatch(/starts when it has ended/)
    expect((await fetch(`${station.url}/healthz`)).status).toBe(200)
  })

  it('drains on SIGTERM: a running upload finishes, nothing new is taken, exit code 0', async () => {
    const config = place.path('drain.json')
    await sayJson(['integration', 'create', 'drain', '--base-url', station.url, '--out', config], { data: place.data })
    const integrator = await connectIntegrator(readConnectionFile(config), station.url)
    const evidence = (await integrator.createEvidence({ Name: 'Drained' })).value
    const resource = (await integrator.createResource(evidence.EvidenceId, { Name: 'slow.bin' })).value
    const bytes = Buffer.alloc(3 * 65_536, 'slow')
    const upload = request(resource.UploadUri, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob', 'content-length': bytes.length },
    })
    const answered = new Promise<number>((resolve, reject) => {
      upload.once('response', (response) => resolve(response.resume().statusCode as number))
      upload.once('error', reject)
    })
    upload.write(bytes.subarray(0, 65_536))
    await pause(300)
    station.signal('SIGTERM')
    await pause(300)
    await expect(fetch(`${station.url}/healthz`)).rejects.toThrow()
    upload.end(bytes.subarray(65_536))
    expect(await answered).toBe(201)
    expect(await station.ended).toEqual({ code: 0, signal: null })

    // What it acknowledged while draining is there.
    station = await running(place.data)
    const later = await connectIntegrator(readConnectionFile(config), station.url)
    const { value } = await later.completeResource(evidence.EvidenceId, resource.ResourceId, { Sha256: sha256(bytes) })
    expect(value).toMatchObject({ State: 'UserCompleted', LengthInBytes: bytes.length })
  })

  it('lets a running command end or stop before it goes, and answers it', async () => {
    // Hashing the password takes a while: the command is under way when the signal comes.
    const command = start(['user', 'create', 'last', '--password-stdin'], { data: place.data, input: PASSWORD })
    const deadline = Date.now() + 20_000
    while (!(await connected(station)) && Date.now() < deadline) await pause(2)
    station.signal('SIGTERM')
    const { code, stdout, stderr } = await command.ended
    expect(await station.ended).toEqual({ code: 0, signal: null })
    // Either it was there in time and was answered, or it found the folder free afterwards and did it itself.
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^User last is made/) })
    station = await running(place.data)
  })
})

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

function listens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** Whether somebody talks to the station's socket now, as the kernel lists it. */
async function connected(station: Station): Promise<boolean> {
  const { readFileSync } = await import('node:fs')
  const all = readFileSync('/proc/net/unix', 'utf8').split('\n')
  // State 03: connected; the listening end has 01.
  return all.some((line) => line.endsWith(`${station.data}/station.sock`) && line.split(/\s+/)[5] === '03')
}
