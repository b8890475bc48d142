/** Texts for a station that does not start: the problem, what is safe, and what to do. */
import type { WordKey, Words } from './messages.ts'

export interface Failure {
  readonly heading: string
  readonly body: string
  /** The kind of failure, as the key of its heading. */
  readonly kind: WordKey
}

export interface Where {
  readonly data: string
  readonly host: string
  readonly port: number
}

/** Kinds by the code of the error or one of its causes, never by its text. */
const BY_CODE: Readonly<Record<string, WordKey>> = {
  StationBusy: 'failBusy',
  EADDRINUSE: 'failPort',
  EACCES: 'failRights',
  EPERM: 'failRights',
  EROFS: 'failRights',
  SQLITE_CANTOPEN: 'failRights',
  SQLITE_READONLY: 'failRights',
  DatabaseNewer: 'failNewer',
  DatabaseBeforeRelease: 'failBeforeRelease',
  ENOSPC: 'failFull',
  EDQUOT: 'failFull',
  SQLITE_FULL: 'failFull',
  SQLITE_CORRUPT: 'failDamaged',
  SQLITE_NOTADB: 'failDamaged',
  SettingsError: 'failSettings',
}

const BODIES = {
  failBusy: 'failBusyBody',
  failPort: 'failPortBody',
  failRights: 'failRightsBody',
  failNewer: 'failNewerBody',
  failBeforeRelease: 'failBeforeReleaseBody',
  failFull: 'failFullBody',
  failDamaged: 'failDamagedBody',
  failSettings: 'failSettingsBody',
  failOther: 'failOtherBody',
} as const satisfies Partial<Record<WordKey, WordKey>>

export function describeFailure(error: unknown, where: Where, words: Words): Failure {
  const known = causes(error).flatMap(({ code, name }) => {
    const key = BY_CODE[code ?? ''] ?? BY_CODE[(code ?? '').split('_').slice(0, 2).join('_')] ?? BY_CODE[name ?? '']
    return key === undefined ? [] : [key]
  })
  const kind = (known[0] ?? 'failOther') as keyof typeof BODIES
  const values = { ...where, detail: messageOf(error) }
  return { kind, heading: words(kind, values), body: words(BODIES[kind], values) }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function causes(error: unknown): { code?: string; name?: string }[] {
  const found: { code?: string; name?: string }[] = []
  for (
    let cause = error;
    typeof cause === 'object' && cause !== null && found.length < 8;
    cause = (cause as Error).cause
  )
    found.push(cause as { code?: string; name?: string })
  return found
}
