/**
 * Overload is polite (promise L5): a station asked several times what it can. For each kind of request the peak in a closed loop, before
 * and after; then an open loop at so many times that: how much of the peak is still answered, what the refusals look like, how long until
 * an ordinary load is answered as ever. Aims: goodput ≥ 0.8 of the peak, nothing but 200, 429 and 503, the latter two with Retry-After,
 * recovery < 10 s.
 *   npm run bench -- overload [seconds of overload = 10] [times = 2,5] [folder of a generated station]
 * Prints one line of JSON a measurement.
 */
import path from 'node:path'
import { callControl } from '../../server/platform/control/control.ts'
import { type ConnectionFile, signIn } from '../support/integrator.ts'
import { type LoopRequest, openLoop } from '../support/open-loop.ts'
import { startStation, temporaryFolder } from '../support/station.ts'

const [seconds = '10', times = '2,5', folder] = process.argv.slice(2)
const UNLIMITED = {
  SALLYPORT_RATE_SERVICE: '100000000',
  SALLYPORT_RESERVE_BYTES: '65536',
  SALLYPORT_MIN_FREE_BYTES: '0',
}
const DOCUMENTS = '/documentstore/api/v1/tenant/station'

const own = folder === undefined ? await temporaryFolder('overload') : null
const data = path.join(folder ?? (own as { dir: string }).dir, 'data')
const station = await startStation({ data, env: UNLIMITED })
try {
  const token = await asker()
  const made = await fetch(`${station.url}${DOCUMENTS}/evidence`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ Name: 'Front desk, burglary' }),
  })
  if (made.status !== 201) throw new Error(`${made.status} ${await made.text()}`)
  const { EvidenceId } = (await made.json()) as { EvidenceId: string }
  const search = '/searchservice/api/v1/search/station'
  const kinds: Record<string, LoopRequest> = {
    'a record': { method: 'GET', path: `${DOCUMENTS}/evidence/${EvidenceId}`, token },
    'the list': { method: 'GET', path: `${DOCUMENTS}/evidence?count=50`, token },
    'a search': { method: 'POST', path: search, token, body: { Query: 'burglary' } },
    'a new evidence': { method: 'POST', path: `${DOCUMENTS}/evidence`, token, body: { Name: 'Front desk' } },
  }
  for (const [what, request] of Object.entries(kinds))
    for (const factor of times.split(',').map(Number)) {
      const report = await openLoop(station.url, [request], {
        peakSeconds: 4,
        lanes: 32,
        times: factor,
        overloadSeconds: Number(seconds),
        calmTimes: 0.25,
        calmSeconds: 12,
        mostConnections: 2_000,
        mostRequests: 5_000_000,
      })
      const { overload, calm } = report
      const peak = (report.peak.goodput + report.peakAfter.goodput) / 2
      print({
        what,
        times: factor,
        peak: report.peak.goodput,
        peakAfter: report.peakAfter.goodput,
        goodput: overload.goodput,
        ofPeak: Math.round((overload.goodput / peak) * 100) / 100,
        aim: 0.8,
        byStatus: overload.byStatus,
        unsent: overload.unsent,
        withoutRetryAfter: overload.withoutRetryAfter,
        p99: overload.p99,
        recoverySeconds: report.recoverySeconds,
        calmP95: calm.p95,
      })
    }
  await station.stop()
} finally {
  await station.kill()
  await own?.dispose()
}

function print(what: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(what)}\n`)
}

async function asker(): Promise<string> {
  const args = { name: `overload ${Date.now()}`, policies: [], group: null, baseUrl: station.url }
  const made = await callControl(
    data,
    { command: 'integration.create', args, user: 'bench' },
    () => {},
    new AbortController().signal,
  )
  return signIn((made as { result: { connection: ConnectionFile } }).result.connection, station.url)
}
