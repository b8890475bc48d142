// @module-tag merge
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openJournal } from '../support/integrator.ts'
import { scale } from '../support/scale.ts'
import { command } from '../support/station.ts'
import { uploadBlocks, uploadWhole } from './traffic.ts'
import { freshBytes, freshSource, makeWorld, pause } from './world.ts'

const FILES = scale(20, 100)
const missing = spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0 ? null : 'strace is not installed'
const TRACED = 'trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat,mkdir,mkdirat,write,writev,sendto,sendmsg'

describe.skipIf(missing !== null)(missing === null ? 'D5 order' : `D5 order (skipped: ${missing})`, () => {
  it(`D5 fsync(file) < rename < fsync(folder) < fsync(wal) < answer for ${FILES} files ingested from a folder`, {
    timeout: 120_000,
  }, async () => {
    const world = await makeWorld('d5')
    onTestFinished(() => world.dispose())
    const source = freshSource(world.folder, FILES, 1_000, 30_000)
    const out = path.join(world.folder, 'trace')
    const under = ['strace', '-f', '--seccomp-bpf', '-y', '-s', '300', '-e', TRACED, '-o', out]
    const { code, stderr } = await command(['ingest', source.dir], {
      data: world.data,
      env: { ...world.env, UV_USE_IO_URING: '0' },
      under,
      within: 100_000,
    })
    expect(code, stderr).toBe(0)
    const events = readTrace(out)
    const answers = events.filter(({ call, text }) => call === 'write' && text.startsWith('1<'))
    const answer = answers.at(-1)
    expect(answer, 'nothing was printed').toBeDefined()
    const faults = wrongOrders(events, world.blobs, FILES, () => answer)
    expect(faults).toEqual([])
    console.info(`D5: ${FILES} ingested files in order, ${events.length} calls traced`)
  })

  it(`D5 the same for ${FILES} uploads, whole and by block`, { timeout: 120_000 }, async () => {
    const world = await makeWorld('d5')
    onTestFinished(() => world.dispose())
    const { station, integrator } = await world.start({ UV_USE_IO_URING: '0' })
    const journal = openJournal(path.join(world.folder, 'journal'))
    const out = path.join(world.folder, 'trace')
    const tracer = spawn('strace', ['-f', '-y', '-s', '60', '-e', TRACED, '-o', out, '-p', String(station.pid)], {
      stdio: 'ignore',
    })
    await pause(1000)
    for (let file = 0; file < FILES; file++) {
      if (file % 2 === 0) await uploadWhole(integrator, journal, freshBytes(1_000, 30_000))
      else await uploadBlocks(integrator, journal, freshBytes(20_000, 30_000), 9_000)
    }
    await station.stop()
    await new Promise((resolve) => (tracer.exitCode === null ? tracer.once('exit', resolve) : resolve(null)))
    journal.close()
    const events = readTrace(out)
    const isAnswer = ({ call, text }: Event): boolean =>
      /^(write|writev|sendto|sendmsg)$/.test(call) && /"HTTP\/1\.1 200/.test(text)
    const faults = wrongOrders(events, world.blobs, FILES, (placed) =>
      events.find((event) => isAnswer(event) && event.began > placed.began),
    )
    expect(faults).toEqual([])
    console.info(`D5: ${FILES} uploads in order, ${events.length} calls traced`)
  })
})

interface Event {
  call: string
  text: string
  /** Lines of the trace at which the call was entered and left. */
  began: number
  ended: number
}

function readTrace(file: string): Event[] {
  const events: Event[] = []
  const open = new Map<string, Event>()
  for (const [line, raw] of readFileSync(file, 'utf8').split('\n').entries()) {
    const found = /^(\d+)\s+(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)$/.exec(raw)
    if (found === null) continue
    const [, thread, call, rest] = found as unknown as [string, string, string, string]
    if (raw.includes(' resumed>')) {
      const event = open.get(`${thread} ${call}`)
      if (event !== undefined) Object.assign(event, { ended: line, text: event.text + rest })
      open.delete(`${thread} ${call}`)
      continue
    }
    const event: Event = { call, text: rest, began: line, ended: line }
    events.push(event)
    if (rest.endsWith('<unfinished ...>')) {
      event.ended = Number.POSITIVE_INFINITY
      open.set(`${thread} ${call}`, event)
    }
  }
  return events.filter(({ text }) => !/= -1 E/.test(text))
}

/** What is out of order, file by file. @param answerTo the answer that acknowledges the file placed by this rename */
function wrongOrders(
  events: Event[],
  blobs: string,
  files: number,
  answerTo: (placed: Event) => Event | undefined,
): string[] {
  const faults: string[] = []
  const syncs = events.filter(({ call }) => call === 'fsync' || call === 'fdatasync')
  const synced = (target: string) => syncs.filter(({ text }) => text.includes(`<${target}>`))
  const renames = events.filter(
    ({ call, text }) => /^(rename|link)/.test(call) && new RegExp(`"${blobs}/../../[0-9a-f]{64}"`).test(text),
  )
  if (renames.length !== files) faults.push(`${renames.length} files were put into place, not ${files}`)
  const log = syncs.filter(({ text }) => /-wal>/.test(text))

  for (const placed of renames) {
    const [from, to] = [...placed.text.matchAll(/"([^"]+)"/g)].map(([, name]) => name as string) as [string, string]
    const name = path.basename(to)
    const answer = answerTo(placed)
    if (answer === undefined) {
      faults.push(`${name}: no answer`)
      continue
    }
    if (!synced(from).some(({ ended }) => ended < placed.began))
      faults.push(`${name}: renamed before its file was synced`)
    const folder = path.dirname(to)
    const durable = synced(folder).find(({ began }) => began > placed.ended)
    if (durable === undefined || durable.ended > answer.began) {
      faults.push(`${name}: its folder was not synced between rename and answer`)
      continue
    }
    // A folder made on the way is as lost as the file until its own parent was synced.
    for (const made of [folder, path.dirname(folder)]) {
      const born = events.find(({ call, text }) => call.startsWith('mkdir') && text.includes(`"${made}"`))
      if (born === undefined || born.began > placed.began) continue
      if (!synced(path.dirname(made)).some(({ began, ended }) => began > born.ended && ended < answer.began)) {
        faults.push(`${name}: the parent of the new folder ${path.relative(blobs, made)} was not synced`)
      }
    }
    if (!log.some(({ began, ended }) => began > durable.ended && ended < answer.began))
      faults.push(`${name}: no commit was synced between its folder and the answer`)
  }
  return faults
}
