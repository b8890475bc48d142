/** Cameras that all come at once: L1 and L2 of dock.bench.ts. Each run makes cameras and a station of its own, and returns one line of figures. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { type Clips, makeClips } from '../../simulators/card.ts'
import { dropCaches, seconds } from '../stage.ts'
import { type Contents, folderCards, NOISE } from './cards.ts'
import { type Docking, openDocking } from './docking.ts'
import { round } from './figures.ts'
import { figuresOf, type Line, MIB, nothingLost, onGround } from './ground.ts'
import { type ReviewPlan, type ReviewReport, startReview } from './reviewers.ts'

export interface Size {
  readonly cameras: number
  readonly files: number
  /** Of each camera. */
  readonly mib: number
  readonly films: boolean
  /** A folder on the disk that is measured. */
  readonly where: string
}

const contentsOf = ({ cameras, files, mib }: Size, clips: Clips, seed: string): Contents => ({
  count: cameras,
  files,
  bytes: Math.floor((mib * MIB) / files),
  clips,
  seed,
})

/** `cp`, `sync` and `sha256sum` of everything in a folder, by the programs of that name, from a cold cache where that can be had. */
async function plainly(folder: string): Promise<{ seconds: number; cold: boolean }> {
  const copy = `${folder}.copy`
  const cold = dropCaches()
  try {
    const took = await seconds(() => {
      execFileSync('cp', ['-r', '--reflink=never', folder, copy])
      execFileSync('sync', ['-f', copy])
      execFileSync('find', [copy, '-type', 'f', '-exec', 'sha256sum', '{}', '+'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    })
    return { seconds: took, cold }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** L1: all at once. */
export async function allAtOnce(size: Size): Promise<Line> {
  return onGround(size.where, async ({ aside, bays, data }) => {
    const cards = await folderCards(contentsOf(size, size.films ? await makeClips() : NOISE, 'L1'), aside, bays)
    const before = await plainly(aside)
    const docking = await openDocking(data, bays)
    try {
      await docking.strain()
      dropCaches()
      for (const card of cards) docking.plug(card)
      await docking.released(cards, 3600)
      const figures = await figuresOf(docking, cards)
      const lost = await nothingLost(docking, cards, data)
      const after = await plainly(bays)
      const plain = (before.seconds + after.seconds) / 2
      return {
        ...figures,
        plainSeconds: [round(before.seconds), round(after.seconds)],
        coldCache: before.cold,
        ofPlain: round(plain / (figures['seconds'] as number)),
        ...lost,
      }
    } finally {
      await docking.station.kill()
    }
  })
}

const DOCUMENTS = '/documentstore/api/v1/tenant/station'

/** L2: the same beside people who work. Their figures on the quiet station of the same run stand beside it. */
export async function besideReviewers(size: Size, quietSeconds: number): Promise<Line> {
  return onGround(size.where, async ({ aside, bays, data }) => {
    const film = aFilm(data)
    const cards = await folderCards(contentsOf(size, size.films ? await makeClips() : NOISE, 'L2'), aside, bays)
    const docking = await openDocking(data, bays)
    try {
      const plan = await workFor(docking, film)
      const calm = startReview(plan)
      await new Promise((resolve) => setTimeout(resolve, quietSeconds * 1000))
      const quiet = await calm.end()
      await docking.strain()
      dropCaches()
      const busy = startReview(plan)
      for (const card of cards) docking.plug(card)
      await docking.released(cards, 3600)
      const meanwhile = await busy.end()
      const figures = await figuresOf(docking, cards)
      return {
        quiet,
        meanwhile,
        p95OfQuiet: ratio(meanwhile, quiet, 'p95'),
        p99OfQuiet: ratio(meanwhile, quiet, 'p99'),
        ...figures,
        ...(await nothingLost(docking, cards, data)),
      }
    } finally {
      await docking.station.kill()
    }
  })
}

const ratio = (one: ReviewReport, other: ReviewReport, at: 'p95' | 'p99'): number =>
  round((one.requests[at] ?? Number.NaN) / (other.requests[at] ?? Number.NaN))

/** Twenty seconds of moving picture at 8 Mbit/s. */
function aFilm(folder: string): Buffer {
  const file = path.join(folder, 'film.mp4')
  const picture = 'testsrc2=size=1280x720:rate=25:duration=20'
  const coded = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-b:v',
    '8M',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
  ]
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', picture, ...coded, file])
  const film = readFileSync(file)
  rmSync(file)
  return film
}

/** Records of people's work, four films that play, and what is asked. */
async function workFor({ station, token }: Docking, film: Buffer): Promise<ReviewPlan> {
  const call = async <T>(method: string, to: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${station.url}${to}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${to}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const evidence = (name: string) => call<{ EvidenceId: string }>('POST', `${DOCUMENTS}/evidence`, { Name: name })
  const ids: string[] = []
  for (let at = 0; at < 300; at++) ids.push((await evidence(`Burglary ${at}, Ferry Street ${at % 40}`)).EvidenceId)
  const films: ReviewPlan['films'][number][] = []
  for (const id of ids.slice(0, 4)) {
    const at = `${DOCUMENTS}/evidence/${id}/resource`
    const { ResourceId, UploadUri } = await call<Record<string, string>>('POST', at, { Name: 'film.mp4' })
    // A copy each with bytes of its own behind the film: four people do not watch the same.
    const own = Buffer.concat([film, freeBox(id)])
    const put = await fetch(UploadUri as string, {
      method: 'PUT',
      headers: { 'x-ms-blob-type': 'BlockBlob', 'x-ms-version': '2024-11-04' },
      body: own,
    })
    if (put.status !== 201) throw new Error(`upload: ${put.status}`)
    await call('POST', `${at}/${ResourceId}/complete`, {})
    const { ResourceId: plays, LengthInBytes } = await playable(() => call('GET', at))
    films.push({ path: `${at}/${plays}/content?purpose=play`, length: LengthInBytes })
  }
  const requests = ids.slice(0, 50).flatMap((id) => [
    { method: 'GET', path: `${DOCUMENTS}/evidence?count=50` },
    { method: 'GET', path: `${DOCUMENTS}/evidence/${id}/` },
    { method: 'GET', path: `${DOCUMENTS}/evidence/${id}/resource` },
    { method: 'POST', path: '/searchservice/api/v1/search/station', body: { Query: 'ferry' } },
    { method: 'GET', path: '/api/v1/case/station?count=50' },
  ])
  return { url: station.url, token, perSecond: 50, requests, films, mostSeconds: 3600 }
}

/** Which players pass over. */
function freeBox(text: string): Buffer {
  const box = Buffer.alloc(8 + text.length)
  box.writeUInt32BE(box.length)
  box.write(`free${text}`, 4, 'latin1')
  return box
}

interface Found {
  readonly ResourceId: string
  readonly LengthInBytes: number
  readonly Parent: string | null
  readonly MimeType: string
}

/** The MP4 that the station appends: nothing else plays at View. */
async function playable(list: () => Promise<readonly Found[]>): Promise<Found> {
  for (let tries = 0; tries < 600; tries++) {
    const found = (await list()).find(({ Parent, MimeType }) => Parent !== null && MimeType === 'video/mp4')
    if (found !== undefined && found.LengthInBytes > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('The station made no film that plays.')
}
