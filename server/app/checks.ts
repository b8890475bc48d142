import type { Database } from '../kernel/database/database.ts'
import type { Check } from '../http/operations.ts'
import type { BlobStore } from '../storage/types.ts'
import type { UsersService } from '../features/identity/users/users.service.ts'
import type { MediaTools } from '../platform/ffmpeg/media-tools.ts'
import { databaseAnswers } from './identity.store.ts'
import type { StationMode } from '../kernel/mode.ts'
import type { Nodes } from '../kernel/node/nodes.ts'

interface Deps {
  db: Database
  mode: StationMode
  nodes: Pick<Nodes, 'areSeveral' | 'clockOffset' | 'whyNotReady'>
  media: MediaTools
  store: Pick<BlobStore, 'whyAway' | 'about'>
}

/** The checks of `/readyz`: whether the database answers, whether bytes may be written, and the clock of a node (decisions 1 and 23). Missing media tools are reported but do not affect readiness. */
export function stationChecks({ db, mode, nodes, media, store }: Deps): () => Promise<Record<string, Check>> {
  return async () => ({
    database: await runCheck(async () => {
      await databaseAnswers(db)
      return 'answers'
    }),
    store: await runCheck(async () => {
      const away = await store.whyAway()
      if (away !== null) throw new Error(away)
      await mode.requireBytes(0)
      return store.about === null ? 'takes bytes' : `takes bytes, in ${store.about}`
    }),
    ...(nodes.areSeveral && { clock: checkClock(nodes) }),
    media: { ok: true, message: await mediaSentence(media) },
  })
}

function checkClock(nodes: Deps['nodes']): Check {
  const why = nodes.whyNotReady()
  return why === null
    ? { ok: true, message: `${Math.abs(Math.round(nodes.clockOffset() ?? 0))} ms from the database’s` }
    : { ok: false, message: why }
}

async function runCheck(check: () => Promise<string>): Promise<Check> {
  try {
    return { ok: true, message: await check() }
  } catch (error) {
    return { ok: false, message: (error as Error).message }
  }
}

async function mediaSentence(media: MediaTools): Promise<string> {
  const { missing, sandbox, reason } = await media.standing()
  const confinement =
    sandbox === 'none'
      ? `Media programs run without a sandbox: ${reason ?? 'none can be made on this machine'}.`
      : 'Media programs run in a sandbox.'
  return missing.length === 0 ? confinement : `Missing: ${missing.join(', ')}; jobs that need them wait. ${confinement}`
}

/** Advice for the person who starts the station at a terminal. */
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
      'SALLYPORT_PUBLIC_URL names another host: requests from this machine count as coming through a proxy. They get no metrics,',
      '  dock wall or set-up link without signing in, and share their limits of tries and requests (docs/settings.md).',
    )
  const { missing, sandbox } = await media.standing()
  if (missing.includes('ffmpeg') || missing.includes('exiftool') || sandbox === 'none')
    lines.push(await mediaSentence(media))
  const reason = mode.reason()
  if (reason !== null) lines.push(`The station takes no writes: ${reason}`)
  return lines
}
