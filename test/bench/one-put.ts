/**
 * One PUT of a whole file into a station, hashing and reading back included, beside the same PUT into nginx followed by `sync` (promise
 * V4: at least 0.8 of nginx). The sender is curl for both. `readBack` is what reading nginx's file from the disk takes, without hashing it:
 * nginx does not do it, and the station does. `ofThatToo` is the ratio where it counts for both.
 */
import { execFile, execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rebase } from '../support/integrator.ts'
import { startNginx, whyNoNginx } from './nginx.ts'
import { seconds, type Stage, setStage } from './stage.ts'

const AIM = 0.8
const run = promisify(execFile)
const round2 = (n: number): number => Math.round(n * 100) / 100
const print = (line: Record<string, unknown>): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

export async function compareOnePut(gib: number, rounds: number): Promise<void> {
  const why = whyNoNginx()
  if (why !== null) return print({ what: 'one PUT', skipped: why })
  const stage = await setStage(gib)
  try {
    const ratios: number[] = []
    const readBackToo: number[] = []
    for (let round = 0; round < rounds; round++) {
      const nginx = await putIntoNginx(stage)
      const station = await putIntoStation(stage)
      const ratio = (nginx.put + nginx.sync) / (station.put + station.complete)
      const ofThatToo = (nginx.put + nginx.sync + nginx.readBack) / (station.put + station.complete)
      ratios.push(ratio)
      readBackToo.push(ofThatToo)
      print({
        what: 'one PUT',
        gib,
        nginx: round2(nginx.put),
        sync: round2(nginx.sync),
        readBack: round2(nginx.readBack),
        put: round2(station.put),
        complete: round2(station.complete),
        ratio: round2(ratio),
        ofThatToo: round2(ofThatToo),
      })
    }
    print({
      what: 'one PUT',
      gib,
      medianRatio: round2(median(ratios)),
      aim: AIM,
      ofThatToo: round2(median(readBackToo)),
    })
  } finally {
    stage.dispose()
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** Brings the source into memory, so that its reading is not measured, and writes out what earlier rounds left. */
function prepare(source: string): void {
  execFileSync('sha256sum', [source])
  execFileSync('sync')
}

async function putIntoNginx(stage: Stage): Promise<{ put: number; sync: number; readBack: number }> {
  const nginx = await startNginx(stage.folder)
  try {
    prepare(stage.source)
    const put = await seconds(() => send(stage.source, `${nginx.url}/source`))
    const sync = await seconds(() => run('sync', ['-f', nginx.folder]))
    const file = join(nginx.folder, 'source')
    const readBack = await seconds(() => run('dd', [`if=${file}`, 'of=/dev/null', 'bs=1M', 'iflag=direct']))
    return { put, sync, readBack }
  } finally {
    await nginx.stop()
    rmSync(nginx.folder, { recursive: true })
  }
}

async function putIntoStation(stage: Stage): Promise<{ put: number; complete: number }> {
  const { station, integrator } = await stage.start()
  try {
    const { EvidenceId } = (await integrator.createEvidence({ Name: 'bench' })).value
    const { ResourceId, UploadUri } = (await integrator.createResource(EvidenceId, { Name: 'source.bin' })).value
    prepare(stage.source)
    const put = await seconds(() => send(stage.source, rebase(UploadUri, station.url), ['x-ms-blob-type: BlockBlob']))
    const complete = await seconds(() => integrator.completeResource(EvidenceId, ResourceId, { Sha256: stage.sha256 }))
    return { put, complete }
  } finally {
    await station.stop()
    rmSync(station.data, { recursive: true })
  }
}

async function send(file: string, url: string, headers: readonly string[] = []): Promise<void> {
  const more = headers.flatMap((header) => ['-H', header])
  await run('curl', ['--silent', '--show-error', '--fail-with-body', '--upload-file', file, ...more, url])
}
