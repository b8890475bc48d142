import { createCipheriv, createHash } from 'node:crypto'
import { mkdir, mkdtemp, open, readFile, rename, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from '../../server/platform/run/run.ts'
import { createToolbox } from '../../server/platform/run/tools.ts'

/** Cards of cameras that are not there, written as a camera would. For tests, for trying out a dock, and for who writes a profile. */

export interface PlannedFile {
  /** Below the root, with `/`. */
  readonly path: string
  readonly modifiedMs: number
  /** One bit is turned over after its sum was taken. */
  readonly damaged: boolean
  readonly content:
    | { readonly kind: 'media'; readonly container: 'mp4' | 'avi'; readonly seed: string; readonly length: number }
    /** Written when all media are. @param sums SHA-256 of the media as they should be, by path */
    | { readonly kind: 'text'; readonly write: (sums: ReadonlyMap<string, string>) => string }
}

export interface PlannedCard {
  readonly name: string
  readonly files: readonly PlannedFile[]
}

/** Two seconds of picture and sound in each container. */
export type Clips = Readonly<Record<'mp4' | 'avi', Buffer>>

/** Real films, by ffmpeg, once for all cards. @throws when there is no ffmpeg */
export async function makeClips(): Promise<Clips> {
  const ffmpeg = (await createToolbox().findTools()).get('ffmpeg')
  if (ffmpeg === undefined)
    throw new Error('Simulated cameras hold real films: ffmpeg is needed to make them, and is not installed.')
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-clips-'))
  const [file = '', ...leading] = ffmpeg.command
  const make = async (name: string, codecs: readonly string[]): Promise<Buffer> => {
    const source = [
      '-f',
      'lavfi',
      '-i',
      'testsrc=size=320x240:rate=15:duration=2',
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=440:duration=2',
    ]
    const target = join(folder, name)
    const made = await run({
      file,
      args: [...leading, '-nostdin', '-v', 'error', '-y', ...source, '-shortest', ...codecs, target],
      timeoutMs: 60_000,
    })
    if (made.end !== 'ok') throw new Error(`ffmpeg makes no film: ${made.stderr.slice(0, 300)}`)
    return readFile(target)
  }
  try {
    return {
      mp4: await make('clip.mp4', ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']),
      avi: await make('clip.avi', ['-c:v', 'mpeg4', '-c:a', 'libmp3lame']),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @returns the path of the card's folder and the sums of its media. It appears under its name when it is whole. @throws EEXIST and others */
export async function writeCard(
  card: PlannedCard,
  folder: string,
  clips: Clips,
): Promise<{ path: string; sums: ReadonlyMap<string, string> }> {
  await mkdir(folder, { recursive: true })
  // A dock passes over names with a dot in front.
  const fresh = await mkdtemp(join(folder, `.${card.name}-`))
  const sums = new Map<string, string>()
  try {
    const isText = ({ content }: PlannedFile): number => (content.kind === 'text' ? 1 : 0)
    for (const file of [...card.files].sort((a, b) => isText(a) - isText(b))) {
      const path = join(fresh, file.path)
      await mkdir(dirname(path), { recursive: true })
      const handle = await open(path, 'wx')
      try {
        if (file.content.kind === 'text') await handle.writeFile(file.content.write(sums))
        else {
          const hash = createHash('sha256')
          let at = 0
          for (const piece of mediaPieces(file.content, clips)) {
            hash.update(piece)
            await handle.write(piece, 0, piece.length, at)
            at += piece.length
          }
          sums.set(file.path, hash.digest('hex'))
          // In the padding, so that the film still plays: nothing but its sum shows it.
          if (file.damaged) await handle.write(Buffer.from([0xa5]), 0, 1, at - 1)
        }
      } finally {
        await handle.close()
      }
      await utimes(path, new Date(file.modifiedMs), new Date(file.modifiedMs))
    }
    const path = join(folder, card.name)
    await rename(fresh, path)
    return { path, sums }
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    throw error
  }
}

const PIECE = 1024 * 1024
const HEAD = 8

/**
 * The clip, then one box that players pass over, filled with bytes of the seed: every file is a real film of its own sum and of the length
 * that was asked for, or as long as the clip with the seed behind it.
 */
function* mediaPieces(
  { container, seed, length }: { container: 'mp4' | 'avi'; seed: string; length: number },
  clips: Clips,
): Generator<Buffer> {
  const clip = clips[container]
  yield clip
  const padding = Math.max(length - clip.length, HEAD + 32)
  const head = Buffer.alloc(HEAD)
  if (container === 'mp4') {
    head.writeUInt32BE(padding)
    head.write('free', 4, 'latin1')
  } else {
    head.write('JUNK', 0, 'latin1')
    head.writeUInt32LE(padding - HEAD, 4)
  }
  yield head
  const stream = seeded(seed)
  for (let left = padding - HEAD; left > 0; left -= PIECE) yield stream(Math.min(PIECE, left))
}

/** Bytes without pattern, the same for the same seed. */
function seeded(seed: string): (count: number) => Buffer {
  const key = createHash('sha256').update(seed).digest()
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (count) => {
    const piece = stream.update(Buffer.alloc(count))
    // Never what damage writes there.
    piece[count - 1] = 0x5a
    return piece
  }
}
