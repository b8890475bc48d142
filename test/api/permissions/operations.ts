/** What each operation answers by the model, and how it is called. */
import type { Json, Reply } from '../../support/given.ts'
import {
  actsOnCase,
  actsOnEvidence,
  atLeast,
  type DrawnCase,
  type DrawnPerson,
  type DrawnWorld,
  inPolicy,
  type Level,
  levelOnCase,
  levelOnEvidence,
  type Policy,
} from './model.ts'
import { NOTICE_LISTS } from './notices.ts'
import { CASE_WITH_FILES, EVIDENCE_ACTS, EVIDENCE_LISTS, restoreFiles } from './operations-acts.ts'
import { DISCLOSING } from './operations-disclosure.ts'
import { SHARING } from './operations-packages.ts'
import { POLICY_CHANGES } from './operations-policies.ts'
import { type Spelling, spelled } from './spelling.ts'
import { TODAY_LISTS } from './today.ts'
import { CASES, type Station } from './world.ts'

export interface Asked {
  readonly station: Station
  readonly world: DrawnWorld
  readonly who: number
  readonly evidence: number
  readonly onCase: number
  readonly other: number
  readonly level: Exclude<Level, 'None'>
  /** How the ids in the path are written: it makes no difference (promise S16). */
  readonly spelling: Spelling
}

/** What an answer says: its status, and of a refusal of the case service its code. */
export type Verdict = string
export interface Operation {
  readonly name: string
  expected(asked: Asked): Verdict
  call(asked: Asked): Promise<Verdict>
  /** Whether it is asked at all of such a world; always unless said. */
  applies?(asked: Asked): boolean
  /** What a call that was let through changed in the world. */
  after?(asked: Asked): void
}

const DISPOSITION = '/api/v1/tenant/station/disposition'
const RETENTION = '/api/v1/tenant/station/retention'
const PAPER = '/api/v1/tenant/station/reports'

const person = ({ world, who }: Asked): DrawnPerson => world.people[who] as DrawnPerson
const isDeleted = ({ world, evidence }: Asked): boolean => world.evidences[evidence]?.lifecycle === 'Deleted'
const theCase = ({ world, onCase }: Asked): DrawnCase => world.cases[onCase] as DrawnCase
const DELETED = '409 EvidenceDeleted'
const told = ({ status, json }: Reply): Verdict =>
  // HEAD says no code.
  status === 409 && (json?.ErrorCode ?? 'EvidenceDeleted') === 'EvidenceDeleted'
    ? DELETED
    : status < 400 || status === 409
      ? 'allowed'
      : status === 400
        ? `400 ${json?.ErrorCode ?? ''}`
        : String(status)

/** An evidence that one cannot view is not there; below the needed level it is refused. */
const onEvidence = (
  name: string,
  needed: Exclude<Level, 'None'>,
  call: (asked: Asked, place: string, resource: string) => Promise<Reply>,
  also: (asked: Asked) => boolean = () => true,
): Operation => ({
  name,
  expected: (asked) => {
    const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
    if (level === 'None') return '404'
    if (isDeleted(asked)) return DELETED
    return atLeast(level, needed) && also(asked) ? 'allowed' : '403'
  },
  call: async (asked) => {
    const { id, original } = asked.station.evidences[asked.evidence] as Station['evidences'][number]
    const place = `${asked.station.given.documents}/evidence/${spelled(asked, id)}`
    return told(await call(asked, place, `${place}/resource/${spelled(asked, original)}`))
  },
})

/** A deleted case is told as deleted to those who could view it. */
const onCase = (
  name: string,
  needed: Exclude<Level, 'None'> | null,
  call: (asked: Asked, place: string) => Promise<Reply>,
  more: {
    policy?: Policy
    verdict?: (asked: Asked, level: Level) => Verdict
    deleted?: Verdict
    after?: (asked: Asked) => void
    applies?: (asked: Asked) => boolean
  } = {},
): Operation => ({
  name,
  expected: (asked) => {
    const level = actsOnCase(asked.world, asked.who, asked.onCase)
    if (more.policy !== undefined && !inPolicy(asked.world, asked.who, more.policy)) return '403'
    if (theCase(asked).lifecycle === 'Deleted' && needed !== null)
      return level === 'None' ? '403' : (more.deleted ?? '400 CaseDeleted')
    if (needed !== null && !atLeast(level, needed)) return '403'
    return more.verdict?.(asked, level) ?? 'allowed'
  },
  call: async (asked) =>
    told(await call(asked, `${CASES}/${spelled(asked, asked.station.cases[asked.onCase] as string)}`)),
  ...(more.after === undefined ? {} : { after: more.after }),
  ...(more.applies === undefined ? {} : { applies: more.applies }),
})

const get = ({ station, who }: Asked, place: string, headers: Record<string, string> = {}) =>
  station.call(who, 'GET', place, { headers })
const send = ({ station, who }: Asked, method: string, place: string, body?: unknown) =>
  station.call(who, method, place, body === undefined ? {} : { body })
const open = (asked: Asked): Verdict => (theCase(asked).state === 'Closed' ? '400 CannotUpdateClosedCase' : 'allowed')
const audits = (asked: Asked): boolean => inPolicy(asked.world, asked.who, 'AccessAuditTrail')
const asPolicy = ({ station, level }: Asked, to: number): Json => {
  const { id, kId } = station.people[to] as Station['people'][number]
  return { Permissions: level, PrincipalId: id, KId: kId, PrincipalType: 'service' }
}

/** Guests are refused before anything is looked at. */
const ofGuests = (operation: Operation): Operation => ({
  ...operation,
  expected: (asked) => (person(asked).guest ? '403' : operation.expected(asked)),
})

const STATION = '/api/v1/tenant/station'
/** What account administrators alone may do stands in test/api/integrity and test/api/station: no level and no policy decides it. */
const KEEPING: readonly Operation[] = [
  {
    name: 'checkpoint: kept for another station',
    expected: (asked) => (person(asked).guest ? '403' : '404'),
    call: async (asked) => told(await get(asked, `${STATION}/checkpoint?origin=nobody`)),
  },
]

const EVIDENCE: readonly Operation[] = [
  onEvidence('read', 'View', (asked, place) => get(asked, place)),
  onEvidence('HEAD', 'View', (asked, place) => send(asked, 'HEAD', place)),
  onEvidence('resources', 'View', (asked, place) => get(asked, `${place}/resource`)),
  onEvidence('resource', 'View', (asked, _place, resource) => get(asked, resource)),
  onEvidence('thumbnail', 'View', (asked, place) => get(asked, `${place}/thumbnail`)),
  onEvidence('thumbnail of a resource', 'View', (asked, _place, resource) => get(asked, `${resource}/thumbnail`)),
  onEvidence('media', 'View', (asked, _place, resource) => get(asked, `${resource}/media`)),
  onEvidence('custody', 'View', (asked, place) => get(asked, `${place}/custody`)),
  onEvidence('sheet on paper', 'View', (asked, place) =>
    get(asked, `${PAPER}/evidence/${place.split('/').at(-1)}/sheet`),
  ),
  onEvidence('custody on paper', 'View', (asked, place) =>
    get(asked, `${PAPER}/evidence/${place.split('/').at(-1)}/custody`),
  ),
  onEvidence('a label', 'View', (asked, place) => get(asked, `${PAPER}/labels?id=${place.split('/').at(-1)}`)),
  onEvidence('content', 'Download', (asked, _place, resource) => get(asked, `${resource}/content`)),
  onEvidence('originals as one file', 'Download', (asked, place) =>
    get(asked, `${asked.station.given.documents}/evidence/download?id=${place.split('/').at(-1)}`),
  ),
  onEvidence('HEAD of content', 'Download', (asked, _place, resource) => send(asked, 'HEAD', `${resource}/content`)),
  onEvidence('range', 'Download', (asked, _place, resource) =>
    get(asked, `${resource}/content`, { range: 'bytes=0-3' }),
  ),
  onEvidence('derived, downloaded', 'Download', (asked, place) =>
    get(asked, `${place}/resource/${derived(asked)}/content`),
  ),
  onEvidence('derived, played', 'View', (asked, place) =>
    get(asked, `${place}/resource/${derived(asked)}/content?purpose=play`),
  ),
  onEvidence('new resource', 'Edit', (asked, place) => send(asked, 'POST', `${place}/resource`, { Name: 'x' })),
  onEvidence('complete', 'Edit', (asked, place) => send(asked, 'POST', `${place}/complete`)),
  onEvidence('change', 'Edit', (asked, place) => send(asked, 'PATCH', place, { Description: 'x' })),
  onEvidence('suggestions', 'Edit', (asked, place) => get(asked, `${place}/suggestions`)),
  onEvidence('bookmarks', 'View', (asked, place) => get(asked, `${place}/bookmark`)),
  // It is a picture: who may mark it is told that there is nothing to mark.
  onEvidence('new bookmark', 'Edit', (asked, place) =>
    send(asked, 'POST', `${place}/bookmark`, { ResourceId: original(asked), StartSeconds: 0, Title: 'x' }),
  ),
  // As with notes: who may change it is told that what they read is not the newest.
  onEvidence('a bookmark that others made', 'Manage', (asked, place) =>
    send(asked, 'PUT', `${place}/bookmark/${bookmarkOf(asked)}`, { StartSeconds: 0, Title: 'y', ConcurrencyId: 'x' }),
  ),
  onEvidence('delete a bookmark that others made', 'Manage', (asked, place) =>
    send(asked, 'DELETE', `${place}/bookmark/${bookmarkOf(asked)}?concurrencyId=x`),
  ),
  onEvidence('captions', 'Edit', (asked, _place, resource) =>
    send(asked, 'POST', `${resource}/captions`, { FileResourceId: original(asked), Language: 'en' }),
  ),
  onEvidence('no captions any more', 'Edit', (asked, _place, resource) =>
    noCaptions(send(asked, 'DELETE', `${resource}/captions`)),
  ),
  onEvidence('captions given back', 'Edit', (asked, _place, resource) =>
    noCaptions(send(asked, 'POST', `${resource}/captions/restore`)),
  ),
  onEvidence('notes', 'View', (asked, place) => get(asked, `${place}/note`)),
  onEvidence('new note', 'Edit', (asked, place) => send(asked, 'POST', `${place}/note`, { Text: 'x' })),
  onEvidence('a note that others wrote', 'Manage', (asked, place) =>
    send(asked, 'PUT', `${place}/note/${noteOf(asked)}`, { Text: 'y', ConcurrencyId: 'x' }),
  ),
  onEvidence('versions of a note', 'View', (asked, place) => get(asked, `${place}/note/${noteOf(asked)}/version`)),
  onEvidence('where it was forwarded', 'View', (asked, place) => get(asked, `${place}/forwarding`)),
  // No headquarters is set: who may forward it is told so.
  onEvidence('forward', 'Edit', (asked, place) => send(asked, 'POST', `${place}/forward`)),
  onEvidence('fetch an original', 'View', (asked, _place, resource) => send(asked, 'POST', `${resource}/fetch`)),
  onEvidence('custody as a file', 'View', (asked, place) => get(asked, `${place}/custody/export`)),
  ofGuests(
    onEvidence(
      'history as a file',
      'View',
      (asked, place) => get(asked, `${place}/history/export`),
      (asked) => audits(asked) && atLeast(actsOnEvidence(asked.world, asked.who, asked.evidence), 'Manage'),
    ),
  ),
  ofGuests(
    onEvidence(
      'history',
      'View',
      (asked, place) => get(asked, `${place}/history`),
      (asked) => audits(asked) && atLeast(actsOnEvidence(asked.world, asked.who, asked.evidence), 'Manage'),
    ),
  ),
  {
    name: 'relations',
    expected: ({ world, who, evidence }) => {
      if (levelOnEvidence(world, who, evidence) === 'None') return '403'
      if (world.evidences[evidence]?.lifecycle === 'Deleted') return '400'
      const cases = [...new Set(world.evidences[evidence]?.links.map(({ toCase }) => toCase))]
      const seen = cases.filter(
        (at) => world.cases[at]?.lifecycle !== 'Deleted' && levelOnCase(world, who, at) !== 'None',
      )
      const counted = levelOnEvidence(world, who, evidence) === 'Manage' && inPolicy(world, who, 'AccessAuditTrail')
      return JSON.stringify([seen.sort(), counted ? cases.length - seen.length : null])
    },
    call: async (asked) => {
      const { station, evidence } = asked
      const reply = await get(asked, `/api/v1/evidence/station/${station.evidences[evidence]?.id}`)
      if (reply.status !== 200) return String(reply.status)
      const cases = [...new Set(reply.json.Relations.map(({ CaseId }: Json) => station.cases.indexOf(CaseId)))].sort()
      return JSON.stringify([cases, reply.json.HiddenCount])
    },
  },
]

/** The picture is no captions: who may take some away is told so, and nobody else. */
const noCaptions = async (reply: Promise<Reply>): Promise<Reply> => {
  const answer = await reply
  return answer.json?.ErrorCode === 'CaptionsNotFound' ? { ...answer, status: 409 } : answer
}
const derived = ({ station, evidence }: Asked): string => station.evidences[evidence]?.derived as string
const original = ({ station, evidence }: Asked): string => station.evidences[evidence]?.original as string
const noteOf = ({ station, evidence }: Asked): string => station.evidences[evidence]?.note as string
const bookmarkOf = ({ station, evidence }: Asked): string => station.evidences[evidence]?.bookmark as string
const caseNoteOf = ({ station, onCase: at }: Asked): string => station.caseNotes[at] as string

const CASE: readonly Operation[] = [
  onCase('read', 'View', (asked, place) => get(asked, place)),
  onCase('summary on paper', 'View', (asked, place) => get(asked, `${PAPER}/case/${place.split('/').at(-1)}/summary`)),
  onCase('labels', 'View', (asked, place) => get(asked, `${PAPER}/case/${place.split('/').at(-1)}/labels`)),
  onCase('holds', 'View', (asked, place) => get(asked, `${PAPER}/case/${place.split('/').at(-1)}/holds`)),
  onCase('follow', 'View', (asked, place) => send(asked, 'POST', `${place}/follow`)),
  onCase('change', 'Edit', (asked, place) => send(asked, 'PATCH', place, { Description: 'x' }), { verdict: open }),
  onCase('notes', 'View', (asked, place) => get(asked, `${place}/note`)),
  onCase('tasks', 'View', (asked, place) => get(asked, `${place}/task`)),
  onCase('new task', 'Edit', (asked, place) => send(asked, 'POST', `${place}/task`, { Title: 'x' }), { verdict: open }),
  onCase('new note', 'Edit', (asked, place) => send(asked, 'POST', `${place}/note`, { Text: 'x' }), { verdict: open }),
  onCase(
    'a note that others wrote',
    'Edit',
    (asked, place) => send(asked, 'PUT', `${place}/note/${caseNoteOf(asked)}`, { Text: 'y', ConcurrencyId: 'x' }),
    {
      verdict: (asked, level) => {
        if (theCase(asked).state === 'Closed') return '400 CannotUpdateClosedCase'
        return level === 'Manage' ? '400 ConcurrentWritingError' : '403'
      },
    },
  ),
  ofGuests(
    onCase('history as a file', 'View', (asked, place) => get(asked, `${place}/history/export`), {
      verdict: (asked, level) => (level === 'Manage' && audits(asked) ? 'allowed' : '403'),
    }),
  ),
  onCase('close', 'Manage', (asked, place) => send(asked, 'POST', `${place}/close`), {
    verdict: (asked) => (theCase(asked).state === 'Closed' ? '400 CaseNotInNormalState' : 'allowed'),
    after: (asked) => void (theCase(asked).state = 'Closed'),
  }),
  onCase('reopen', 'Manage', (asked, place) => send(asked, 'PATCH', place, { State: 'Open' }), {
    after: (asked) => void (theCase(asked).state = 'Open'),
  }),
  onCase('protect', 'Manage', (asked, place) => send(asked, 'POST', `${place}/protect`, { Reason: 'x' }), {
    policy: 'ProtectFromDeletion',
    verdict: (asked) => (theCase(asked).lifecycle === 'Normal' ? 'allowed' : '400 CaseNotInNormalState'),
    after: (asked) => void (theCase(asked).lifecycle = 'Protected'),
  }),
  onCase('unprotect', 'Manage', (asked, place) => send(asked, 'POST', `${place}/unprotect`), {
    policy: 'ProtectFromDeletion',
    verdict: (asked) => (theCase(asked).lifecycle === 'Protected' ? 'allowed' : '400 CaseNotProtected'),
    after: (asked) => void (theCase(asked).lifecycle = 'Normal'),
  }),
  onCase('delete', 'Manage', (asked, place) => send(asked, 'DELETE', place), {
    policy: 'DeleteCasesAndFiles',
    deleted: '400 CaseAlreadyDeleted',
    verdict: (asked) =>
      theCase(asked).lifecycle === 'Protected'
        ? '400 CaseProtected'
        : theCase(asked).state === 'Open'
          ? '400 CaseNotInNormalState'
          : 'allowed',
    after: (asked) => void (theCase(asked).lifecycle = 'Deleted'),
  }),
  onCase('restore', null, (asked, place) => send(asked, 'POST', `${place}/restore`), {
    policy: 'RestoreFromRecycleBin',
    verdict: (asked) => (theCase(asked).lifecycle === 'Deleted' ? 'allowed' : '400 CaseNotDeleted'),
    after: (asked) => {
      theCase(asked).lifecycle = 'Normal'
      restoreFiles(asked)
    },
  }),
  ofGuests(
    onCase('history', 'View', (asked, place) => get(asked, `${place}/history`), {
      verdict: (asked, level) => (level === 'Manage' && audits(asked) ? 'allowed' : '403'),
    }),
  ),
  onCase(
    'share',
    'View',
    (asked, place) => {
      const theirs = shareable(asked)
      return send(asked, 'POST', `${place}/share`, { AccessPolicies: [asPolicy(asked, theirs)] })
    },
    {
      // Sharing goes by the level itself: a guest's Manage shares below Manage.
      verdict: (asked) => {
        if (levelOnCase(asked.world, asked.who, asked.onCase) === 'Manage')
          return person(asked).guest && asked.level === 'Manage' ? '403' : 'allowed'
        if (!inPolicy(asked.world, asked.who, 'ShareCases')) return '403'
        return atLeast('Download', asked.level) && shareable(asked) !== asked.who ? 'allowed' : '403'
      },
      after: (asked) => shared(asked),
    },
  ),
  onCase(
    'link',
    'Edit',
    (asked, place) =>
      send(asked, 'POST', `${place}/link-evidences`, {
        Evidences: [{ EvidenceId: asked.station.evidences[asked.evidence]?.id }],
      }),
    {
      verdict: (asked) => {
        if (theCase(asked).state === 'Closed') return '400 CaseClosed'
        const level = levelOnEvidence(asked.world, asked.who, asked.evidence)
        if (level === 'None') return '400 EvidenceNotFound'
        if (isDeleted(asked)) return '400 EvidenceDeleted'
        if (linkedByHand(asked) || atLeast(level, 'Edit')) return 'allowed'
        return '400 PrincipalCannotManageEvidence'
      },
      after: (asked) => {
        if (linkedByHand(asked)) return
        const links = asked.world.evidences[asked.evidence]?.links as unknown as Json[]
        links.push({ toCase: asked.onCase, kind: 'Manual', confirmed: true })
      },
    },
  ),
]

/** What is asked of at most Edit, and of guests with Manage: with anybody else's Manage it would change who may do what. */
const justEdit = (asked: Asked): boolean => actsOnCase(asked.world, asked.who, asked.onCase) !== 'Manage'
const refusedTo = (asked: Asked): Verdict => (theCase(asked).state === 'Closed' ? '400 CannotUpdateClosedCase' : '403')

const waiting = ({ world, evidence, onCase: at }: Asked): Json | undefined =>
  world.evidences[evidence]?.links.find(
    ({ toCase, kind, confirmed }) => toCase === at && kind === 'Automatic' && !confirmed,
  )

const idOf = ({ station, evidence }: Asked): string | undefined => station.evidences[evidence]?.id
const automatic = ({ world, evidence, onCase: at }: Asked): Json | undefined =>
  world.evidences[evidence]?.links.find(({ toCase, kind }) => toCase === at && kind === 'Automatic')
const hiddenOrDeleted = (asked: Asked): Verdict | null =>
  levelOnEvidence(asked.world, asked.who, asked.evidence) === 'None'
    ? '400 EvidenceNotFound'
    : isDeleted(asked)
      ? '400 EvidenceDeleted'
      : null

const GRANTING: readonly Operation[] = [
  onCase('replace', 'Edit', (asked, place) => send(asked, 'PUT', place, { Title: 'x', ConcurrencyId: 'x' }), {
    verdict: () => '400 CaseNotUpToDate',
  }),
  onCase(
    'make oneself a manager',
    'Edit',
    (asked, place) =>
      send(asked, 'PATCH', place, { AccessPolicies: [asPolicy({ ...asked, level: 'Manage' }, asked.who)] }),
    { verdict: refusedTo, applies: justEdit },
  ),
  onCase(
    'move to another department',
    'Edit',
    (asked, place) => send(asked, 'PATCH', place, { DepartmentId: asked.station.department }),
    { verdict: refusedTo, applies: justEdit },
  ),
  onCase(
    'assign personnel',
    'Edit',
    (asked, place) =>
      send(asked, 'PATCH', place, {
        PersonnelRelations: [{ PrincipalId: asked.station.officer, Role: `Witness ${Math.random()}` }],
      }),
    {
      verdict: (asked, level) => {
        if (theCase(asked).state === 'Closed') return '400 CannotUpdateClosedCase'
        if (person(asked).guest) return '400 TenantGuestCannotUpdateAssignedPersonnel'
        return level === 'Manage' ? 'allowed' : '403'
      },
    },
  ),
  onCase(
    'confirm a link',
    'View',
    (asked, place) => send(asked, 'POST', `${place}/evidence/${asked.station.evidences[asked.evidence]?.id}/confirm`),
    {
      verdict: (asked) => {
        const level = actsOnEvidence(asked.world, asked.who, asked.evidence)
        if (level === 'None') return '400 EvidenceNotFound'
        if (isDeleted(asked)) return '400 EvidenceDeleted'
        if (level !== 'Manage') return '403'
        if (theCase(asked).state === 'Closed') return '400 CaseClosed'
        return waiting(asked) === undefined ? '400 InvalidLinkAction' : 'allowed'
      },
      after: (asked) => {
        waiting(asked).confirmed = true
      },
    },
  ),
  onCase('what the engine did', 'View', (asked, place) => get(asked, `${place}/correlation`)),
  // Nobody was sent to these: whoever may look is told so.
  onCase(
    'whether an officer recorded it',
    'View',
    (asked) => get(asked, `${CORRELATION}/board/${asked.station.cases[asked.onCase]}/999999`),
    { verdict: () => '400 UserNotFound' },
  ),
  onCase('what dispatch said', 'View', (asked, place) => get(asked, `${place}/dispatch`)),
  onCase(
    'why a recording is in it',
    'View',
    (asked, place) => get(asked, `${place}/evidence/${idOf(asked)}/correlation`),
    {
      verdict: (asked) => hiddenOrDeleted(asked) ?? 'allowed',
    },
  ),
  onCase(
    'refuse a link',
    'View',
    (asked, place) => send(asked, 'POST', `${place}/evidence/${idOf(asked)}/refuse`, { Reason: 'x' }),
    {
      verdict: (asked) => {
        const hidden = hiddenOrDeleted(asked)
        if (hidden !== null) return hidden
        if (actsOnEvidence(asked.world, asked.who, asked.evidence) !== 'Manage') return '403'
        if (theCase(asked).state === 'Closed') return '400 CaseClosed'
        return automatic(asked) === undefined ? '400 InvalidLinkAction' : 'allowed'
      },
      after: (asked) => {
        const links = asked.world.evidences[asked.evidence]?.links as unknown as Json[]
        links.splice(links.indexOf(automatic(asked)), 1)
      },
    },
  ),
]

const linkedByHand = ({ world, evidence, onCase: at }: Asked): boolean =>
  world.evidences[evidence]?.links.some(({ toCase, kind }) => toCase === at && kind === 'Manual') ?? false
/** Half of the rules of sharing are about oneself: what is shared at View goes to whoever shares. */
const shareable = ({ other, who, level }: Asked): number => (level === 'View' ? who : other)

/** Adds or raises, never lowers; one that has run out counts as none. */
function shared(asked: Asked): void {
  const grants = theCase(asked).grants as unknown as Json[]
  const theirs = shareable(asked)
  const at = grants.findIndex(({ to }) => to === theirs)
  const known = grants[at]
  const now = { to: theirs, level: asked.level, expiry: 'never' }
  if (known === undefined) grants.push(now)
  else if (known.expiry === 'past') grants[at] = now
  else if (!atLeast(known.level, asked.level))
    grants[at] = { ...now, expiry: asked.level === 'Manage' ? 'never' : known.expiry }
}

/** Whether the call came through to the operation, which then refuses what was sent. */
const reached = ({ status }: Reply): Verdict => (status === 403 ? '403' : 'reached')
const anyone = (
  name: string,
  allowed: (asked: Asked) => boolean,
  call: (asked: Asked) => Promise<Reply>,
): Operation => ({
  name,
  expected: (asked) => (allowed(asked) ? 'reached' : '403'),
  call: async (asked) => reached(await call(asked)),
})
const policed = (name: string, policy: Policy, call: (asked: Asked) => Promise<Reply>): Operation => ({
  name,
  expected: (asked) => (inPolicy(asked.world, asked.who, policy) ? 'reached' : '403'),
  call: async (asked) => reached(await call(asked)),
})
const noGuest = (asked: Asked): boolean => !person(asked).guest

/** Cases and evidence that the caller can view, newest first; deleted cases only where `deleted` lets them be found. */
const searched = (name: string, question: Json, deleted: (asked: Asked) => boolean): Operation => ({
  name,
  expected: (asked) => {
    const { station, world, who } = asked
    const cases = station.cases.filter(
      (_, at) => levelOnCase(world, who, at) !== 'None' && (world.cases[at]?.lifecycle !== 'Deleted' || deleted(asked)),
    )
    const evidences = station.evidences.flatMap(({ id }, at) =>
      levelOnEvidence(world, who, at) === 'None' || (world.evidences[at]?.lifecycle === 'Deleted' && !deleted(asked))
        ? []
        : [id],
    )
    const hits = [...cases.map((id) => `Case ${id}`), ...evidences.map((id) => `Evidence ${id}`)]
    return JSON.stringify([hits.sort(), hits.length, [cases.length, evidences.length]])
  },
  call: async (asked) => {
    const body = { Types: ['Case', 'Evidence'], Count: 1000, ...question }
    const { json } = await send(asked, 'POST', '/searchservice/api/v1/search/station', body)
    const counted = (type: string): number => json.Facets.Types.find(({ Value }: Json) => Value === type)?.Count ?? 0
    return JSON.stringify([
      json.Hits.map(({ Type, Id }: Json) => `${Type} ${Id}`).sort(),
      json.Total,
      [counted('Case'), counted('Evidence')],
    ])
  },
})

const LISTS: readonly Operation[] = [
  {
    name: 'list of evidence, with its total and levels',
    expected: ({ station, world, who }) => {
      const seen = station.evidences.flatMap(({ id }, at) => {
        const level = levelOnEvidence(world, who, at)
        return level === 'None' || world.evidences[at]?.lifecycle === 'Deleted' ? [] : [[id, level]]
      })
      return JSON.stringify([seen, seen.length])
    },
    call: async (asked) => {
      const { json } = await get(asked, `${asked.station.given.documents}/evidence?direction=asc&tag=every`)
      const items = json.Items.map(({ EvidenceId, AccessorPermissions }: Json) => [
        EvidenceId,
        AccessorPermissions.at(-1),
      ])
      return JSON.stringify([items, json.Total])
    },
  },
  {
    name: 'tags with their counts',
    expected: ({ station, world, who }) => {
      const seen = station.evidences.filter(
        (_, at) => levelOnEvidence(world, who, at) !== 'None' && world.evidences[at]?.lifecycle !== 'Deleted',
      )
      const tags = [...seen.map(({ tag }) => [tag, 1]), ...(seen.length === 0 ? [] : [['every', seen.length]])]
      return JSON.stringify(tags.map(String).sort())
    },
    call: async (asked) => {
      const { json } = await get(asked, `${asked.station.given.documents}/tag`)
      return JSON.stringify(json.map(({ Tag, Count }: Json) => String([Tag, Count])).sort())
    },
  },
  {
    name: 'list of cases, with levels',
    expected: ({ station, world, who }) =>
      JSON.stringify(
        station.cases
          .flatMap((id, at) => {
            const level = levelOnCase(world, who, at)
            return level === 'None' || world.cases[at]?.lifecycle === 'Deleted' ? [] : [[id, level]]
          })
          .reverse(),
      ),
    call: async (asked) => {
      const { json } = await get(asked, `${CASES}?text=Case%20`)
      return JSON.stringify(
        json.Items.map(({ CaseId, AccessorPermissions }: Json) => [CaseId, AccessorPermissions.at(-1)]),
      )
    },
  },
  {
    name: 'recycle bin',
    expected: ({ station, world, who }) =>
      JSON.stringify(
        station.cases
          .filter(
            (_, at) =>
              world.cases[at]?.lifecycle === 'Deleted' &&
              (levelOnCase(world, who, at) !== 'None' || inPolicy(world, who, 'RestoreFromRecycleBin')),
          )
          .reverse(),
      ),
    call: async (asked) => {
      const { json } = await get(asked, `${CASES}?deleted=true`)
      return JSON.stringify(json.Items.map(({ CaseId }: Json) => CaseId))
    },
  },
  {
    name: 'list of evidence as a file',
    expected: ({ station, world, who }) =>
      JSON.stringify(
        station.evidences
          .filter((_, at) => levelOnEvidence(world, who, at) !== 'None' && world.evidences[at]?.lifecycle !== 'Deleted')
          .map(({ id }) => id),
      ),
    call: async (asked) => {
      const place = `${asked.station.given.documents}/evidence/export?format=json&direction=asc&tag=every`
      return JSON.stringify((await get(asked, place)).json.map(({ EvidenceId }: Json) => EvidenceId))
    },
  },
  {
    name: 'list of cases as a file',
    expected: ({ station, world, who }) =>
      JSON.stringify(
        station.cases
          .filter((_, at) => levelOnCase(world, who, at) !== 'None' && world.cases[at]?.lifecycle !== 'Deleted')
          .reverse(),
      ),
    call: async (asked) => {
      const { json } = await get(asked, `${CASES}/export?format=json&text=Case%20`)
      return JSON.stringify(json.map(({ CaseId }: Json) => CaseId))
    },
  },
  policed('refusals as a file', 'AccessAuditTrail', (asked) =>
    get(asked, '/userservice/api/v1/tenant/station/suspiciousActivity/export?days=1&kind=Locked'),
  ),
  searched('search, with its total and facets', {}, () => false),
  searched(
    'search of the recycle bin',
    { States: ['Open', 'Closed', 'Protected', 'None', 'UserCompleted', 'Deleted'] },
    ({ world, who }) => inPolicy(world, who, 'RestoreFromRecycleBin'),
  ),
  anyone('new evidence', noGuest, (asked) =>
    send(asked, 'POST', `${asked.station.given.documents}/evidence`, { Name: '' }),
  ),
  anyone('categories', noGuest, (asked) => get(asked, '/api/v1/category/station')),
  anyone('departments', noGuest, (asked) => get(asked, '/api/v1/department/station')),
  anyone('prefilled fields', noGuest, (asked) => get(asked, '/api/v1/prefilledfields/station')),
  anyone('templates', noGuest, (asked) => get(asked, '/customfieldservice/api/v1/template/station')),
  policed('new case', 'CreateCases', (asked) => send(asked, 'POST', CASES, { Title: '' })),
  policed('new category', 'ManageConfiguration', (asked) =>
    send(asked, 'POST', '/api/v1/category/station', { Name: '' }),
  ),
  policed('report of accesses', 'AccessAuditTrail', (asked) => get(asked, `${PAPER}/figures/access`)),
  policed('report of cameras', 'ManageDevices', (asked) => get(asked, `${PAPER}/figures/cameras`)),
  policed('report of retention', 'ApproveDisposition', (asked) => get(asked, `${PAPER}/figures/retention`)),
  policed('calendar of retention', 'ApproveDisposition', (asked) => get(asked, `${PAPER}/retention/calendar`)),
  policed('due for disposition', 'ApproveDisposition', (asked) => get(asked, `${DISPOSITION}?count=1`)),
  policed('figures of disposition', 'ApproveDisposition', (asked) => get(asked, `${DISPOSITION}/figures`)),
  policed('certificates', 'ApproveDisposition', (asked) => get(asked, `${DISPOSITION}/certificate?count=1`)),
  policed('keep instead', 'ApproveDisposition', (asked) => send(asked, 'POST', `${DISPOSITION}/keep`, {})),
  policed('approve a destruction', 'ApproveDisposition', (asked) => send(asked, 'POST', `${DISPOSITION}/approve`, {})),
  policed('quarantine', 'ApproveDisposition', (asked) => get(asked, `${DISPOSITION}/quarantine?count=1`)),
  policed('approve for quarantine', 'ApproveDisposition', (asked) =>
    send(asked, 'POST', `${DISPOSITION}/quarantine/approve`, {}),
  ),
  policed('keep in quarantine', 'ApproveDisposition', (asked) =>
    send(asked, 'POST', `${DISPOSITION}/quarantine/keep`, {}),
  ),
  policed('retentions of sources', 'ManageConfiguration', (asked) => get(asked, `${RETENTION}/source`)),
  policed('new retention of a source', 'ManageConfiguration', (asked) =>
    send(asked, 'POST', `${RETENTION}/source`, { Name: '' }),
  ),
  policed('new department', 'ManageConfiguration', (asked) =>
    send(asked, 'POST', '/api/v1/department/station', { Name: '' }),
  ),
]

const NAMED = { DeviceId: { SerialNumber: 'S-0', Manufacturer: 'Acme' } }
const deviceOf = ({ station, evidence }: Asked): string =>
  `${STATION}/device/${(station.evidences[evidence] as Station['evidences'][number]).device}`
const DEVICES: readonly Operation[] = [
  {
    name: 'may manage devices',
    expected: (asked) => String(inPolicy(asked.world, asked.who, 'ManageDevices')),
    call: async (asked) => String((await get(asked, `${STATION}/device/canmanage`)).json),
  },
  policed('what was docked', 'ManageDevices', (asked) => get(asked, `${STATION}/dock/session?count=1`)),
  policed('one docking', 'ManageDevices', (asked) => get(asked, `${STATION}/dock/session/999999`)),
  policed('files of a docking', 'ManageDevices', (asked) => get(asked, `${STATION}/dock/session/999999/file`)),
  policed('receipt of a docking', 'ManageDevices', (asked) =>
    get(asked, `${STATION}/dock/session/999999/receipt/key.pem`),
  ),
  policed('devices', 'ManageDevices', (asked) => get(asked, `${STATION}/device`)),
  policed('new device', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/device`, {})),
  policed('device', 'ManageDevices', (asked) => get(asked, deviceOf(asked))),
  policed('activate a device', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/device/none/activate`)),
  policed('deactivate a device', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/device/none/deactivate`)),
  policed('configuration of a device', 'ManageDevices', (asked) => get(asked, `${deviceOf(asked)}/configuration`)),
  policed('set the configuration of a device', 'ManageDevices', (asked) =>
    send(asked, 'PUT', `${deviceOf(asked)}/configuration`, {}),
  ),
  policed('configurations of types', 'ManageDevices', (asked) => get(asked, `${STATION}/configuration`)),
  policed('set the configuration of a type', 'ManageDevices', (asked) =>
    send(asked, 'PUT', `${STATION}/configuration/x`, {}),
  ),
  policed('unset the configuration of a type', 'ManageDevices', (asked) =>
    send(asked, 'DELETE', `${STATION}/configuration/x`),
  ),
  policed('credentials of a device', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/credential`, NAMED)),
  policed('failed credentials', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/credential/failed`, NAMED)),
  policed('negotiate', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/configuration/negociate`, NAMED)),
  policed('commit', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/configuration/commit`, NAMED)),
  policed('reject', 'ManageDevices', (asked) => send(asked, 'POST', `${STATION}/configuration/reject`, NAMED)),
  policed('officers of a device', 'ManageDevices', (asked) => get(asked, `${deviceOf(asked)}/association`)),
  // Those who are asked about are programs: they have no devices, and may give one to nobody else without the policy.
  policed('associate', 'ManageDevices', (asked) =>
    send(asked, 'POST', `${deviceOf(asked)}/association`, { PrincipalId: asked.station.people[asked.who]?.id }),
  ),
  policed('take a device for another', 'ManageDevices', (asked) =>
    send(asked, 'POST', `${deviceOf(asked)}/take`, { PrincipalId: '999999' }),
  ),
  policed('change an association', 'ManageDevices', (asked) =>
    send(asked, 'PUT', `${deviceOf(asked)}/association/999999`, {}),
  ),
  policed('take an association back', 'ManageDevices', (asked) =>
    send(asked, 'DELETE', `${deviceOf(asked)}/association/999999`),
  ),
  policed('confirm an association', 'ManageDevices', (asked) =>
    send(asked, 'POST', `${deviceOf(asked)}/association/999999/confirm`, {}),
  ),
]

const CORRELATION = '/api/v1/correlation/station'
const CAD = '/cadservice/api/v1'
const CALLS: readonly Operation[] = [
  policed('push an event', 'PushCadEvents', (asked) => send(asked, 'POST', `${CAD}/events/station`, {})),
  policed('push a batch', 'PushCadEvents', (asked) => send(asked, 'POST', `${CAD}/events/station/batch`, [])),
  policed('mapping', 'ManageConfiguration', (asked) => get(asked, `${CAD}/mapping/station`)),
  policed('set the mapping', 'ManageConfiguration', (asked) => send(asked, 'PUT', `${CAD}/mapping/station`, {})),
  policed('preview a mapping', 'ManageConfiguration', (asked) =>
    send(asked, 'POST', `${CAD}/mapping/station/preview`, {}),
  ),
  policed('messages', 'ManageConfiguration', (asked) => get(asked, `${CAD}/messages/station?count=1`)),
  policed('message', 'ManageConfiguration', (asked) => get(asked, `${CAD}/messages/station/999999`)),
  policed('read a message again', 'ManageConfiguration', (asked) =>
    send(asked, 'POST', `${CAD}/messages/station/999999/retry`),
  ),
  policed('read messages again', 'ManageConfiguration', (asked) =>
    send(asked, 'POST', `${CAD}/messages/station/retry`, {}),
  ),
  policed('mapping before', 'ManageConfiguration', (asked) => get(asked, `${CAD}/mapping/station/history`)),
  policed('who is connected', 'ManageConfiguration', (asked) => get(asked, `${CAD}/overview/station`)),
  policed('rules', 'ManageConfiguration', (asked) => get(asked, `${CORRELATION}/rules`)),
  policed('set the rules', 'ManageConfiguration', (asked) => send(asked, 'PUT', `${CORRELATION}/rules`, {})),
  anyone('reviews', noGuest, (asked) => get(asked, `${CORRELATION}/review`)),
  anyone('board', noGuest, (asked) => get(asked, `${CORRELATION}/board`)),
  anyone('weeks of the board', noGuest, (asked) => get(asked, `${CORRELATION}/board/weeks?weeks=1`)),
  anyone('export of the board', noGuest, (asked) => get(asked, `${CORRELATION}/board/export`)),
  anyone('shifts', noGuest, (asked) => get(asked, `${CORRELATION}/board/shifts`)),
  policed('set the shifts', 'ManageConfiguration', (asked) => send(asked, 'PUT', `${CORRELATION}/board/shifts`, {})),
  anyone('settle a review', noGuest, (asked) =>
    send(asked, 'POST', `${CORRELATION}/review/999999/settle`, { Reason: 'x' }),
  ),
  anyone('accept a review', noGuest, (asked) =>
    send(asked, 'POST', `${CORRELATION}/review/999999/accept`, { Reason: 'x' }),
  ),
]

/** The same, of Manage only: a quarter of the draws are too few to meet guests who share it. */
const atManage = (operation: Operation): Operation => ({
  name: `${operation.name} at Manage`,
  expected: (asked) => operation.expected({ ...asked, level: 'Manage' }),
  call: (asked) => operation.call({ ...asked, level: 'Manage' }),
  after: (asked) => operation.after?.({ ...asked, level: 'Manage' }),
})

export const OPERATIONS: readonly Operation[] = [
  ...CALLS.map((one) => ({ ...one, name: `calls: ${one.name}` })),
  ...KEEPING,
  ...[...EVIDENCE, ...EVIDENCE_ACTS].map((one) => ({ ...one, name: `evidence: ${one.name}` })),
  ...[...CASE, ...CASE.filter(({ name }) => name === 'share').map(atManage), ...GRANTING, ...CASE_WITH_FILES].map(
    (one) => ({ ...one, name: `case: ${one.name}` }),
  ),
  ...DISCLOSING.map((one) => ({ ...one, name: `disclosure: ${one.name}` })),
  ...SHARING,
  ...POLICY_CHANGES,
  ...LISTS,
  ...EVIDENCE_LISTS,
  ...NOTICE_LISTS,
  ...TODAY_LISTS,
  ...DEVICES.map((one) => ({ ...one, name: `device: ${one.name}` })),
]
