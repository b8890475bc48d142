import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type ConnectionFile, connectIntegrator } from '../../support/integrator.ts'
import { startStation, succeed, temporaryFolder } from '../../support/station.ts'

/** Decisions 6: a DeviceCredential is never stored with the evidence, logged or returned. With the program itself, its log fully open. */
it('a DeviceCredential leaves no trace: not in answers, log, database or any file of the station', async () => {
  const { dir, dispose } = await temporaryFolder('credential')
  onTestFinished(dispose)
  const data = path.join(dir, 'data')
  const station = await startStation({
    data,
    env: { SALLYPORT_LOG_LEVEL: 'trace', SALLYPORT_MIN_FREE_BYTES: '0', SALLYPORT_RESERVE_BYTES: '65536' },
  })
  const file = path.join(dir, 'config.json')
  await succeed(['integration', 'create', 'camera', '--base-url', station.url, '--out', file], { data })
  const integrator = await connectIntegrator(JSON.parse(readFileSync(file, 'utf8')) as ConnectionFile, station.url)
  const canary = 'canary-Xq7-device-credential-2f81c0'
  const Device = { DeviceType: 'BWC', Manufacturer: 'Acme', SerialNumber: 'S-1', Model: 'M' }
  const made = await integrator.createEvidence(
    { Name: 'from a camera', Device, DeviceCredential: canary },
    'credential-key',
  )
  const again = await integrator.createEvidence(
    { Name: 'from a camera', Device, DeviceCredential: canary },
    'credential-key',
  )
  expect(again.value).toEqual(made.value)
  expect(made.value).toMatchObject({ DeviceIdentity: 'Claimed' })
  const answers = [made.value, (await integrator.evidence(made.value.EvidenceId)).value]
  // Refusals quote no value either, and a failed one is logged no more than a good one.
  for (const body of [
    { Name: '', DeviceCredential: canary },
    { Name: 'x', DeviceCredential: canary.repeat(200) },
    { Name: 'x', CaseIds: ['1'], DeviceCredential: canary },
  ])
    await expect(integrator.createEvidence(body)).rejects.toSatisfy(
      (error: Error & { body: string }) => !error.body.includes(canary),
    )
  expect(JSON.stringify(answers)).not.toContain(canary)
  await station.stop()
  expect(station.logs()).toContain('/evidence')
  const forms = [
    canary,
    Buffer.from(canary).toString('base64').replace(/=+$/, ''),
    Buffer.from(canary).toString('hex'),
    encodeURIComponent(canary),
  ]
  const files = (readdirSync(data, { recursive: true }) as string[])
    .map((name) => path.join(data, name))
    .filter((name) => statSync(name).isFile())
  expect(files.some((name) => name.endsWith('sallyport.db'))).toBe(true)
  for (const form of forms) {
    expect(station.logs()).not.toContain(form)
    for (const name of files) expect([name, readFileSync(name).includes(form)]).toEqual([name, false])
  }
})
