/** What the help is about: where each subject leads, and whom it concerns. Its words are in shared/help. */
import { inPolicy, isMember } from '../../client/rights.ts'
import type { Session } from '../../client/session.tsx'
import { wordsOf } from '../../ui/command/matching.ts'
import type { IconName } from '../../ui/icon/icon.tsx'

export const GROUPS = ['cameras', 'evidence', 'cases', 'proof', 'me', 'station'] as const

interface Subject {
  readonly id: string
  readonly group: (typeof GROUPS)[number]
  readonly icon: IconName
  /** The address of a page, or what the frame opens: files to add, the drawer of jobs, the sheet of keys. `sample`: it is done right here. null: it is done where one is. */
  readonly to: `/${string}` | 'add' | 'jobs' | 'keys' | 'sample' | null
  /** Left out: everybody. */
  readonly isOffered?: (session: Session) => boolean
}

const administers = ({ User }: Session): boolean => User?.Administrator === true
const configures = (session: Session): boolean => inPolicy(session, 'ManageConfiguration')
const approves = (session: Session): boolean => inPolicy(session, 'ApproveDisposition')

export const SUBJECTS = [
  { id: 'handIn', group: 'cameras', icon: 'dock', to: '/dock', isOffered: isMember },
  { id: 'takeCamera', group: 'cameras', icon: 'user', to: '/dock/take', isOffered: isMember },
  { id: 'receipt', group: 'cameras', icon: 'print', to: '/dock/sessions', isOffered: isMember },
  { id: 'addFiles', group: 'evidence', icon: 'upload', to: 'add', isOffered: isMember },
  { id: 'find', group: 'evidence', icon: 'search', to: '/search' },
  { id: 'myRecordings', group: 'evidence', icon: 'video', to: '/today', isOffered: isMember },
  { id: 'rename', group: 'evidence', icon: 'edit', to: '/evidence', isOffered: isMember },
  { id: 'tag', group: 'evidence', icon: 'tag', to: '/evidence', isOffered: isMember },
  { id: 'category', group: 'evidence', icon: 'archive', to: '/evidence', isOffered: isMember },
  { id: 'wrongTime', group: 'evidence', icon: 'clock', to: '/evidence', isOffered: isMember },
  { id: 'officer', group: 'evidence', icon: 'user', to: '/evidence', isOffered: isMember },
  { id: 'watch', group: 'evidence', icon: 'play', to: '/evidence' },
  { id: 'still', group: 'evidence', icon: 'still', to: '/evidence' },
  { id: 'clip', group: 'evidence', icon: 'clip', to: '/evidence', isOffered: isMember },
  { id: 'mark', group: 'evidence', icon: 'flag', to: '/evidence' },
  { id: 'download', group: 'evidence', icon: 'download', to: '/evidence' },
  { id: 'link', group: 'cases', icon: 'link', to: '/evidence', isOffered: isMember },
  { id: 'createCase', group: 'cases', icon: 'plus', to: '/cases/new', isOffered: isMember },
  { id: 'share', group: 'cases', icon: 'share', to: '/cases', isOffered: isMember },
  { id: 'task', group: 'cases', icon: 'check', to: '/cases', isOffered: isMember },
  { id: 'mention', group: 'cases', icon: 'note', to: '/cases', isOffered: isMember },
  { id: 'askAccess', group: 'cases', icon: 'key', to: '/cases', isOffered: isMember },
  { id: 'handOver', group: 'cases', icon: 'share', to: '/cases', isOffered: isMember },
  { id: 'follow', group: 'cases', icon: 'bell', to: '/cases', isOffered: isMember },
  { id: 'calls', group: 'cases', icon: 'calls', to: '/calls', isOffered: isMember },
  { id: 'review', group: 'cases', icon: 'check', to: '/review', isOffered: isMember },
  { id: 'prove', group: 'proof', icon: 'hash', to: '/evidence' },
  { id: 'custody', group: 'proof', icon: 'eye', to: '/evidence' },
  { id: 'print', group: 'proof', icon: 'print', to: '/evidence' },
  { id: 'package', group: 'proof', icon: 'archive', to: '/packages', isOffered: isMember },
  { id: 'disclose', group: 'proof', icon: 'share', to: '/disclosure', isOffered: isMember },
  { id: 'restrict', group: 'proof', icon: 'barred', to: '/evidence', isOffered: isMember },
  { id: 'shareLink', group: 'proof', icon: 'share', to: '/shared-links', isOffered: isMember },
  { id: 'protect', group: 'proof', icon: 'sealed', to: '/evidence', isOffered: isMember },
  { id: 'restore', group: 'proof', icon: 'undo', to: '/evidence', isOffered: isMember },
  { id: 'delete', group: 'proof', icon: 'trash', to: '/evidence', isOffered: isMember },
  { id: 'undo', group: 'me', icon: 'undo', to: null },
  { id: 'jobs', group: 'me', icon: 'jobs', to: 'jobs' },
  { id: 'password', group: 'me', icon: 'key', to: '/account' },
  { id: 'lock', group: 'me', icon: 'lock', to: null },
  { id: 'appearance', group: 'me', icon: 'moon', to: null },
  { id: 'keys', group: 'me', icon: 'keyboard', to: 'keys' },
  { id: 'sampleData', group: 'station', icon: 'play', to: 'sample', isOffered: administers },
  { id: 'addPerson', group: 'station', icon: 'user', to: '/administration/users', isOffered: administers },
  { id: 'retention', group: 'station', icon: 'archive', to: '/administration/categories', isOffered: configures },
  { id: 'lan', group: 'station', icon: 'network', to: '/administration/network', isOffered: administers },
  { id: 'backup', group: 'station', icon: 'disk', to: '/fixity', isOffered: administers },
  { id: 'validation', group: 'station', icon: 'sealed', to: '/fixity', isOffered: administers },
  { id: 'disposition', group: 'station', icon: 'disposition', to: '/disposition', isOffered: approves },
] as const satisfies readonly Subject[]

export type SubjectId = (typeof SUBJECTS)[number]['id']

/** Shorter words count as a whole alone, and little: *my*, and not *my* in *myself*. */
const LEAST_BEGINNING = 3
const SHORT = 0.25
/** How a typed word may go on from one of a subject of four letters: *tamper* and *tampered*. */
const STEM = 4
const ENDING = /^(?:e?s|e?d|e?r|ing|e)$/
/** A word of the title counts as much more than one of the further words. */
const TITLE = 1.5
/** What fits less than so much of the best is left out. */
const LEAST_FIT = 0.5

/**
 * Those that a sentence is about, best first. A typed word counts for the subjects that have it, and more where few have it.
 * @param textOf title and further words of a subject
 */
export function aboutThis<Item>(
  subjects: readonly Item[],
  typed: string,
  textOf: (subject: Item) => { readonly title: string; readonly words: string },
): readonly Item[] {
  const wanted = wordsOf(typed)
  if (wanted.length === 0) return subjects
  const texts = subjects.map((subject) => {
    const { title, words } = textOf(subject)
    return { subject, title: wordsOf(title), words: wordsOf(words) }
  })
  const weights = wanted.map((want) => {
    const having = texts.filter(({ title, words }) => has(title, want) || has(words, want)).length
    const rare = having === 0 ? 0 : Math.log(1 + subjects.length / having)
    return want.length < LEAST_BEGINNING ? SHORT * rare : rare
  })
  const weighed = texts.map(({ subject, title, words }) => {
    const parts = wanted.map((want, at) =>
      has(title, want) ? TITLE * (weights[at] as number) : has(words, want) ? (weights[at] as number) : 0,
    )
    return { subject, weight: parts.reduce((sum, part) => sum + part, 0) }
  })
  const best = Math.max(...weighed.map(({ weight }) => weight))
  return weighed
    .filter(({ weight }) => weight > 0 && weight >= LEAST_FIT * best)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ subject }) => subject)
}

const has = (words: readonly string[], want: string): boolean =>
  words.some(
    (word) =>
      word === want ||
      (want.length >= LEAST_BEGINNING && word.startsWith(want)) ||
      (word.length >= STEM && want.startsWith(word) && ENDING.test(want.slice(word.length))),
  )
