/** The camera simulator (decisions 11): cards of cameras that are not there, and what happens to them in a dock. */
import { basename, extname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CARD_FAULTS, type CardFault, type Layout, LAYOUTS, planCamera } from './plan.ts'
import { makeClips, writeCard } from './card.ts'
import { IMAGE_KINDS, type ImageKind, imagesMissing, type Plugged, plugIn, pullAt, writeImage } from './image.ts'
import { CAMERA_HTTP_COMMANDS } from './camera-http-commands.ts'
import { among, whole } from './camera-arguments.ts'
import type { Command } from '../../server/bin/command.ts'
import { UsageError } from '../../server/bin/error-messages.ts'
import { JSON_FLAG, note, one, out, row } from '../../server/bin/arguments.ts'

export const CAMERA_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'camera make',
    {
      usage: `camera make DIR [--count 1] [--layout ${LAYOUTS.join('|')}] [--recordings 3] [--parts 1] [--bytes 200000] [--clock SECONDS] [--fault ${CARD_FAULTS.join('|')}]… [--seed TEXT] [--image ${IMAGE_KINDS.join('|')} [--full]]`,
      does: 'makes simulated cameras as folders, or as images of cards',
      run: make,
    },
  ],
  [
    'camera plug',
    {
      usage: 'camera plug IMAGE DOCKROOT [--pull-at BYTES] [--slow BYTES-A-SECOND]',
      does: 'mounts such an image in a folder that a dock looks at, until it is pulled or the command ends',
      run: plug,
    },
  ],
  ...CAMERA_HTTP_COMMANDS,
]

async function make(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      ...JSON_FLAG,
      count: { type: 'string', default: '1' },
      layout: { type: 'string', default: 'manifest' },
      recordings: { type: 'string', default: '3' },
      parts: { type: 'string', default: '1' },
      bytes: { type: 'string', default: '200000' },
      clock: { type: 'string', default: '0' },
      fault: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: 'camera' },
      image: { type: 'string' },
      full: { type: 'boolean', default: false },
    },
  })
  const folder = resolve(one(positionals, 'camera make needs one folder.'))
  const count = whole('--count', values.count, 1, 1000)
  const options = {
    layout: among<Layout>('--layout', values.layout, LAYOUTS),
    recordings: whole('--recordings', values.recordings, 0, 10_000),
    parts: whole('--parts', values.parts, 1, 1000),
    bytes: whole('--bytes', values.bytes, 0, 4_000_000_000),
    clockAheadMs: whole('--clock', values.clock, -1_000_000_000, 1_000_000_000) * 1000,
    faults: values.fault.map((fault) => among<CardFault>('--fault', fault, CARD_FAULTS)),
    seed: values.seed,
    nowMs: Date.now(),
  }
  const image = values.image === undefined ? null : among<ImageKind>('--image', values.image, IMAGE_KINDS)
  if (image === null && values.full) throw new UsageError('A folder cannot be full: --full needs --image.')
  if (options.faults.includes('corrupt') && options.layout !== 'manifest')
    throw new UsageError(
      'Only a camera with a manifest says what its files should be: corrupt needs --layout manifest.',
    )
  const clips = await makeClips()
  for (let number = 1; number <= count; number++) {
    const card = planCamera({ ...options, number })
    const path =
      image === null
        ? (await writeCard(card, folder, clips)).path
        : await writeImage(card, folder, clips, { kind: image, spare: values.full ? 0 : 64 * 2 ** 20 })
    if (values.json) out(JSON.stringify({ path, serial: card.serial, layout: card.layout, files: card.files.length }))
    else row(path, card.serial, `${card.files.length} files`)
  }
  return 0
}

async function plug(argv: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { 'pull-at': { type: 'string' }, slow: { type: 'string' } },
  })
  const [image, dockRoot, ...more] = positionals
  if (image === undefined || dockRoot === undefined || more.length > 0)
    throw new UsageError('camera plug needs an image and a folder.')
  const kind = among<ImageKind>('The kind of image', extname(image).slice(1), IMAGE_KINDS)
  const missing = await imagesMissing(kind)
  if (missing !== null) throw new Error(`This card cannot be plugged in here: ${missing}.`)
  const plugged = await plugIn(resolve(image), kind, join(resolve(dockRoot), basename(image, extname(image))))
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  out(`plugged ${plugged.at}`)
  try {
    return await untilPulled(plugged, values, stop)
  } catch (error) {
    await plugged.release().catch(() => {})
    throw error
  }
}

async function untilPulled(
  plugged: Plugged,
  values: { 'pull-at'?: string | undefined; slow?: string | undefined },
  stop: AbortController,
): Promise<number> {
  const most = Number.MAX_SAFE_INTEGER
  const at = values['pull-at'] === undefined ? null : whole('--pull-at', values['pull-at'], 0, most)
  const rate = values.slow === undefined ? null : whole('--slow', values.slow, 1, most)
  if (rate !== null && plugged.slow === null)
    throw new UsageError(
      'Only a card that a program serves can be slow: a FAT, exFAT or NTFS image where the kernel has none of its own.',
    )
  const slowed = rate === null ? null : plugged.slow?.(rate, stop.signal)
  const ended = new Promise<null>((resolve_) => {
    stop.signal.addEventListener('abort', () => resolve_(null), { once: true })
    if (stop.signal.aborted) resolve_(null)
  })
  // Something that is waited for: a promise alone keeps no process alive.
  const alive = setInterval(() => {}, 60_000)
  const read = at === null ? await ended : await pullAt(plugged, at, stop.signal)
  clearInterval(alive)
  stop.abort()
  await slowed
  if (read !== null) {
    out(`pulled after ${read} bytes`)
    return 0
  }
  await plugged.release()
  note('Taken out.')
  return 0
}
