/**
 * A file through `@azure/storage-blob` into a real station, beside `cp` + `sha256sum` of the same bytes in one run (aim: ratio ≥ 0.6).
 *   npm run bench -- upload [GiB = 5] [rounds = 1]
 * One line of JSON a round: seconds of each step, the ratio, growth of the station's memory, its event-loop delay.
 */
import { dropCaches, loopDelay, plainSeconds, seconds, send, setStage, watchMemory } from './stage.ts'

const [gib = '5', rounds = '1'] = process.argv.slice(2)
const stage = await setStage(Number(gib))
const round2 = (n: number): number => Math.round(n * 100) / 100
try {
  for (let round = 0; round < Number(rounds); round++) {
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
      gib: Number(gib),
      cachesDropped,
      cp: round2(cp),
      sha256sum: round2(sha256sum),
      upload: round2(upload),
      complete: round2(complete),
      ratio: round2((cp + sha256sum) / (upload + complete)),
      megabytesPerSecond: Math.round((Number(gib) * 2 ** 30) / 1e6 / (upload + complete)),
      memoryGrowthMiB: growth(),
      loopDelayP99Ms: delay.p99Ms,
      loopDelayMaxMs: delay.maxMs,
    }
    await station.stop()
    process.stdout.write(`${JSON.stringify(figures)}\n`)
  }
} finally {
  stage.dispose()
}
