/**
 * Two uploads into a real station. `blocks`: a file through `@azure/storage-blob`, beside `cp` + `sha256sum` of the same bytes in one run
 * (aim: ratio ≥ 0.6). `put`: the file in one PUT, beside nginx (one-put.ts; promise V4).
 *   npm run bench -- upload blocks [GiB = 5] [rounds = 1]
 *   npm run bench -- upload put [GiB = 2] [rounds = 3]
 * Without arguments both run. One line of JSON a round: seconds of each step and the ratio; of `blocks` also the growth of the station's
 * memory and its event-loop delay.
 */
import { compareOnePut } from './one-put.ts'
import { dropCaches, loopDelay, plainSeconds, type Stage, seconds, send, setStage, watchMemory } from './stage.ts'

const [which = 'both', gib, rounds] = process.argv.slice(2)
const round2 = (n: number): number => Math.round(n * 100) / 100
if (which === 'blocks' || which === 'both') await compareBlocks(Number(gib ?? 5), Number(rounds ?? 1))
if (which === 'put' || which === 'both') await compareOnePut(Number(gib ?? 2), Number(rounds ?? 3))

async function compareBlocks(gib: number, rounds: number): Promise<void> {
  const stage = await setStage(gib)
  try {
    for (let round = 0; round < rounds; round++)
      process.stdout.write(`${JSON.stringify(await sendBlocks(stage, gib))}\n`)
  } finally {
    stage.dispose()
  }
}

async function sendBlocks(stage: Stage, gib: number): Promise<Record<string, unknown>> {
  const cachesDropped = dropCaches()
  const plain = plainSeconds(stage.source)
  const [cp, sha256sum] = [await plain.cp, await plain.sha256sum]
  const { station, integrator } = await stage.start()
  const evidence = (await integrator.createEvidence({ Name: 'bench' })).value
  const resource = (await integrator.createResource(evidence.EvidenceId, { Name: 'source.bin' })).value
  dropCaches()
  const growth = watchMemory(station.pid)
  const upload = await seconds(() => send(['whole', resource.UploadUri, stage.source]).done)
  const complete = await seconds(() =>
    integrator.completeResource(evidence.EvidenceId, resource.ResourceId, { Sha256: stage.sha256 }),
  )
  const delay = await loopDelay(station.url)
  const figures = {
    gib,
    cachesDropped,
    cp: round2(cp),
    sha256sum: round2(sha256sum),
    upload: round2(upload),
    complete: round2(complete),
    ratio: round2((cp + sha256sum) / (upload + complete)),
    megabytesPerSecond: Math.round((gib * 2 ** 30) / 1e6 / (upload + complete)),
    memoryGrowthMiB: growth(),
    loopDelayP99Ms: delay.p99Ms,
    loopDelayMaxMs: delay.maxMs,
  }
  await station.stop()
  return figures
}
