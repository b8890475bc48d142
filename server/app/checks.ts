import type { Database } from '../kernel/database/database.ts'
import type { Check } from '../http/operations.ts'
import type { BlobStore } from '../storage/types.ts'
import type { UsersService } from '../features/identity/users/users.service.ts'
import type { MediaTools } from '../platform/ffmpeg/media-tools.ts'
import { databaseAnswers } from './identity.store.ts'
import type { StationMode } from '../kernel/mode.ts'

interface Deps {
  db: Database
  mode: StationMode
  media: MediaTools
  store: Pick<BlobStore, 'whyAway'>
}

/** What `/readyz` looks at: is the database answering, may bytes be written (decisions 1). Missing media tools are said, and do no harm to readiness. */
export function stationChecks({ db, mode, media, store }: Deps): () => Promise<Record<string, Check>> {
  return async () => ({
    database: await ok(async () => {
      await databaseAnswers(db)
      return 'answers'
    }),
    store: await ok(async () => {
      const away = await store.whyAway()
      if (away !== null) throw new Error(away)
      await mode.requireBytes(0)
      return 'takes bytes'
    }),
    media: { ok: true, message: await mediaSentence(media) },
  })
}

async function ok(look: () => Promise<string>): Promise<Check> {
  try {
    return { ok: true, message: await look() }
  } catch (error) {
    return { ok: false, message: (error as Error).message }
  }
}

async function mediaSentence(media: MediaTools): Promise<string> {
  const { missing, sandbox, reason } = await media.standing()
  const shut =
    sandbox === 'none'
      ? `Media programs run without a sandbox: ${reason ?? 'none can be made on this machine'}.`
      : 'Media programs are shut in.'
  return missing.length === 0 ? shut : `Missing: ${missing.join(', ')}; what they make waits for them. ${shut}`
}

/** What a person who starts the station at a terminal should know. */
export async function advice({
  users,
  media,
  mode,
  behindProxy,
}: {
  users: UsersService
  media: MediaTools
  mode: StationMode
  behindProxy: boolean
}): Promise<string[]> {
  const lines: string[] = []
  if (!(await users.hasAdministrator())) {
    lines.push(
      'There is no administrator yet. In another terminal, make one:',
      "  printf 'a long enough pass phrase' | npm run -s sallyport -- setup --username NAME --password-stdin",
    )
  }
  if (behindProxy)
    lines.push(
      'SALLYPORT_PUBLIC_URL names another host: whatever comes from this machine counts as coming through a proxy. It gets no',
      '  figures, dock wall or set-up link without signing in, and limits of tries and requests are shared by all of it (docs/settings.md).',
    )
  const { missing, sandbox } = await media.standing()
  if (missing.includes('ffmpeg') || missing.includes('exiftool') || sandbox === 'none')
    lines.push(await mediaSentence(media))
  const reason = mode.reason()
  if (reason !== null) lines.push(`The station takes no writes: ${reason}`)
  return lines
}
