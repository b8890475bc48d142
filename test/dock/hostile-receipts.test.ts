// @module-tag merge
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planCamera } from '../simulators/plan.ts'
import { writeCard } from '../simulators/card.ts'
import {
  IMAGE_KINDS,
  type ImageKind,
  imagesMissing,
  makeImage,
  type Plugged,
  plugIn,
  pullAt,
} from '../simulators/image.ts'
import { type Json, sha256Of } from '../support/given.ts'
import { patience, scale } from '../support/scale.ts'
import { dockWorld } from './world.ts'

/**
 * S12: twelve volumes that mean harm, docked together, each of a filesystem that cards have, five rounds of them in the long run. Each comes
 * to an end, everything on it stands on its receipt with what became of it, and nothing from outside it was read.
 */
const ROUNDS = scale(1, 5)
const missing = Object.fromEntries(
  await Promise.all(IMAGE_KINDS.map(async (kind) => [kind, await imagesMissing(kind)] as const)),
) as Record<ImageKind, string | null>
const MIB = 2 ** 20
const SECRET = 'what lies outside of every card'
const NO_FILMS = { mp4: Buffer.alloc(2), avi: Buffer.alloc(2) }
/** Of a camera as it should be. */
const FILES = 4

type Outcome = string | null
interface Volume {
  readonly what: string
  readonly kind: ImageKind
  /** Bytes that are free for the mischief. */
  readonly spare?: number
  /** Of each recording. */
  readonly bytes?: number
  readonly pulled?: boolean
  /** @param at what is on it, before it is docked */
  readonly mischief: (at: string, outside: string) => void
  /** As soon as it is in, before anything of it can have been copied. */
  readonly atOnce?: (card: Plugged, image: string) => void
  /** @param outcomes by path, what the receipt says; null: there is no receipt since the camera was pulled */
  readonly expected: (outcomes: ReadonlyMap<string, Outcome>, receipt: Json) => void
}

const write = (at: string, name: string, text = 'x'): void => {
  mkdirSync(path.dirname(path.join(at, name)), { recursive: true })
  writeFileSync(path.join(at, name), text)
}
const python = (code: string, ...args: string[]): void => void execFileSync('python3', ['-c', code, ...args])
const each = (outcomes: ReadonlyMap<string, Outcome>, names: readonly string[], outcome: string): void =>
  expect(names.map((name) => [name, outcomes.get(name)])).toEqual(names.map((name) => [name, outcome]))
const foreign = (outcomes: ReadonlyMap<string, Outcome>, names: readonly string[]): void =>
  each(outcomes, names, 'foreign')
const ENTRIES = scale(2_000, 100_000)

const VOLUMES: readonly Volume[] = [
  {
    what: 'links to everywhere',
    kind: 'ext4',
    mischief: (at, outside) => {
      for (const [name, to] of [
        ['media/root', '/'],
        ['media/up', '../..'],
        ['media/secret.mp4', outside],
        ['media/loop.mp4', 'loop.mp4'],
      ] as const)
        symlinkSync(to, path.join(at, name))
    },
    expected: (outcomes) => foreign(outcomes, ['media/root', 'media/up', 'media/secret.mp4', 'media/loop.mp4']),
  },
  {
    what: 'pipes, sockets and devices',
    kind: 'ext4',
    mischief: (at) => {
      execFileSync('mkfifo', [path.join(at, 'media/pipe.mp4')])
      execFileSync('mknod', [path.join(at, 'media/zero.mp4'), 'c', '1', '5'])
      python('import socket,sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])', path.join(at, 'socket'))
    },
    expected: (outcomes) => foreign(outcomes, ['media/pipe.mp4', 'media/zero.mp4', 'socket']),
  },
  {
    what: 'names that are no text',
    kind: 'ext4',
    mischief: (at) => {
      for (const name of [
        [0xff, 0xfe, 0x2e],
        [0x61, 0xc3],
        [0x61, 0x0a, 0x62],
        [0x2e, 0x2e, 0x2e],
        [0xe2, 0x80, 0xae],
      ])
        writeFileSync(Buffer.concat([Buffer.from(`${at}/media/`), Buffer.from(name)]), 'x')
    },
    expected: (outcomes) =>
      expect(
        [...outcomes].filter(([name, outcome]) => name.startsWith('media/') && outcome === 'foreign'),
      ).toHaveLength(5),
  },
  {
    what: 'twins by case and by normalisation',
    kind: 'ext4',
    mischief: (at) => {
      for (const name of ['R.mp4', 'r.mp4', 'é.mp4'.normalize('NFC'), 'é.mp4'.normalize('NFD')])
        write(at, `media/${name}`)
    },
    expected: (outcomes) =>
      // Nobody can say which of them is meant: all are kept.
      each(
        outcomes,
        ['media/R.mp4', 'media/r.mp4', `media/${'é.mp4'.normalize('NFC')}`, `media/${'é.mp4'.normalize('NFD')}`],
        'taken',
      ),
  },
  {
    what: `${ENTRIES} entries`,
    kind: 'ext4',
    spare: scale(64, 1024) * MIB,
    mischief: (at) => {
      mkdirSync(path.join(at, 'many'))
      for (let index = 0; index < ENTRIES; index++) writeFileSync(path.join(at, 'many', `f${index}`), '')
    },
    expected: (outcomes) =>
      expect([...outcomes.keys()].filter((name) => name.startsWith('many/'))).toHaveLength(ENTRIES),
  },
  {
    what: '300 folders in each other',
    kind: 'ext4',
    mischief: (at) => write(at, `${'d/'.repeat(300)}film.mp4`),
    expected: (outcomes) => {
      const deep = [...outcomes].filter(([name]) => name.startsWith('d/'))
      expect(deep.map(([, outcome]) => outcome)).toEqual(['failed'])
    },
  },
  {
    what: 'a recording of 2 TB in name only',
    kind: 'ext4',
    mischief: (at) => truncateSync(path.join(at, 'media/r0002-1.mp4'), 2 * 2 ** 40),
    expected: (outcomes, { files }) => {
      expect(outcomes.get('media/r0002-1.mp4')).toBe('failed')
      expect(files.find((file: Json) => file.path === 'media/r0002-1.mp4').reason).toMatch(
        /bytes that one file may have/,
      )
    },
  },
  {
    what: 'bad sectors',
    kind: 'ext4',
    bytes: 3 * MIB,
    mischief: () => {},
    atOnce: (_card, image) => truncateSync(image, 8 * MIB),
    expected: (outcomes) => {
      const of = [...outcomes].filter(([name]) => name.startsWith('media/')).map(([, outcome]) => outcome)
      expect(of).toHaveLength(FILES)
      expect(of.every((outcome) => outcome === 'taken' || outcome === 'failed')).toBe(true)
      expect(of).toContain('failed')
    },
  },
  {
    what: 'foreign files, and long names, on FAT',
    kind: 'fat',
    mischief: (at) => {
      write(at, 'AUTORUN.INF', '[autorun]\nopen=virus.exe')
      write(at, `media/${'a long name '.repeat(15)}.exe`)
      write(at, 'DCIM/100MEDIA/LETTER.DOC')
    },
    // FAT keeps short names in capitals.
    expected: (outcomes) =>
      foreign(new Map([...outcomes].map(([name, outcome]) => [name.toLowerCase(), outcome])), [
        'autorun.inf',
        `media/${'a long name '.repeat(15)}.exe`,
        'dcim/100media/letter.doc',
      ]),
  },
  {
    what: 'another writing, on exFAT',
    kind: 'exfat',
    mischief: (at) => {
      write(at, 'media/Видео 1.mp4')
      write(at, 'media/\u202egpj.exe')
      write(at, 'System Volume Information/x')
    },
    expected: (outcomes) => {
      each(outcomes, ['media/Видео 1.mp4'], 'taken')
      foreign(outcomes, ['System Volume Information/x'])
      // Shown so that it cannot turn the line around.
      expect([...outcomes].filter(([name, outcome]) => name.endsWith('gpj.exe') && outcome === 'foreign')).toHaveLength(
        1,
      )
    },
  },
  {
    what: 'pulled half-way, exFAT',
    kind: 'exfat',
    pulled: true,
    bytes: 8 * MIB,
    mischief: () => {},
    atOnce: (card) => void pullAt(card, 10 * MIB, ending.signal),
    // Where all of it was through before the plug was drawn, it was safe; never anything between.
    expected: (outcomes, receipt) =>
      receipt === null
        ? expect(outcomes.size).toBe(0)
        : each(
            outcomes,
            [1, 2, 3, 4].map((at) => `media/r000${at}-1.mp4`),
            'taken',
          ),
  },
  {
    what: 'links and devices’ names, on NTFS',
    kind: 'ntfs',
    mischief: (at, outside) => {
      symlinkSync(outside, path.join(at, 'media/secret.mp4'))
      write(at, 'media/CON')
      write(at, 'media/name. ')
    },
    expected: (outcomes) => foreign(outcomes, ['media/secret.mp4', 'media/CON', 'media/name. ']),
  },
]

type World = Awaited<ReturnType<typeof dockWorld>>
let world: World
let outside: string
const ending = new AbortController()
beforeAll(async () => {
  world = await dockWorld()
  outside = path.join(world.given.dir, 'secret.mp4')
  writeFileSync(outside, SECRET)
})
afterAll(async () => {
  ending.abort()
  await world?.close()
})

interface Docked {
  readonly volume: Volume
  readonly bay: string
  readonly card: Plugged
}

/** A whole camera with the mischief on it, mounted where the dock looks. */
async function dock(volume: Volume, number: number): Promise<Docked> {
  const bay = `bay-${number}`
  const folder = path.join(world.given.dir, 'cards')
  const plan = planCamera({
    layout: 'manifest',
    number,
    seed: 'hostile',
    recordings: FILES,
    parts: 1,
    bytes: volume.bytes ?? 60_000,
    nowMs: Date.now(),
    clockAheadMs: 0,
    faults: [],
  })
  const { path: filled } = await writeCard({ ...plan, name: bay }, folder, NO_FILMS)
  const image = path.join(folder, `${bay}.${volume.kind}`)
  // What serves FAT here writes it badly: such a card is filled from outside.
  const early = volume.kind === 'fat'
  if (early) volume.mischief(filled, outside)
  await makeImage(filled, image, volume.kind, volume.spare ?? 16 * MIB)
  await rm(filled, { recursive: true })
  if (!early) {
    const aside = await plugIn(image, volume.kind, path.join(folder, `${bay}.aside`))
    try {
      volume.mischief(aside.at, outside)
    } finally {
      await aside.release()
    }
  }
  const card = await plugIn(image, volume.kind, path.join(world.root, bay))
  volume.atOnce?.(card, image)
  return { volume, bay, card }
}

/** The session of a volume that holds a camera; one that was seen before its card was mounted was none. */
const sessionIn = async (bay: string): Promise<Json | undefined> =>
  (await world.sessions()).find((one) => one.Bay === bay && one.State !== 'refused' && one.Before !== 'detected')

async function ended(bay: string, states: readonly string[]): Promise<Json> {
  const until = Date.now() + patience(90_000)
  for (;;) {
    const session = await sessionIn(bay)
    if (session !== undefined && states.includes(session.State)) return session
    if (Date.now() > until) throw new Error(`${bay} is ${JSON.stringify(session)}, not ${states.join(' or ')}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function outcomeOf({ volume, bay }: Docked): Promise<string> {
  const session = await ended(bay, volume.pulled === true ? ['pulled', 'released'] : ['released'])
  const pulled = session.State === 'pulled'
  const receipt = pulled
    ? null
    : await world.given.expecting(200, world.get(`/session/${session.DockSessionId}/receipt/receipt.json`))
  const outcomes = new Map<string, Outcome>((receipt?.files ?? []).map((file: Json) => [file.path, file.outcome]))
  volume.expected(outcomes, receipt)
  // Nothing is passed over in silence: what was not taken says why.
  for (const file of receipt?.files ?? [])
    expect([file.path, file.outcome === 'taken' || (file.reason ?? '') !== '']).toEqual([file.path, true])
  const taken = [...outcomes.values()].filter((outcome) => outcome === 'taken').length
  return `${volume.what} (${volume.kind}): ${session.State}, ${taken} taken, ${outcomes.size} on the receipt`
}

describe.each(Array.from({ length: ROUNDS }, (_, at) => at))('S12 hostile volumes in the dock, round %i', (round) => {
  it('each comes to an end, with everything that lies on it on its receipt, and the others are well', {
    timeout: patience(240_000),
  }, async ({ skip }) => {
    const here = VOLUMES.filter(({ kind }) => missing[kind] === null)
    for (const { what, kind } of VOLUMES)
      if (missing[kind] !== null) console.info(`S12 left out: ${what}: ${missing[kind]}`)
    if (here.length === 0) return skip('no card can be mounted here')
    const docked: Docked[] = []
    try {
      for (const [index, volume] of here.entries()) docked.push(await dock(volume, round * 100 + index + 1))
      for (const line of await Promise.all(docked.map(outcomeOf))) console.info(`S12 ${line}`)
    } finally {
      // One that is still being read is pulled; one that was pulled is gone.
      for (const { card } of docked) await card.release().catch(() => card.pull().catch(() => {}))
    }
    const blobs = world.given.database((db) => db.prepare('SELECT sha256 FROM blobs').pluck().all())
    expect(blobs).not.toContain(sha256Of(SECRET))
  })
})
