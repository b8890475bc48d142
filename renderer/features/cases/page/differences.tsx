import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { useCaseFields } from '../labels.ts'
import type { Words } from '../people-labels.ts'
import { useNames } from '../people-names.tsx'
import { usePartWords } from '../value-labels.ts'
import type { Access, Change, ChangedField } from './changes.ts'
import styles from './history.module.css'
import { levelWords } from './level.tsx'
import { textChange } from './text-change.ts'

const FACTS = {
  people: 'people',
  evidence: 'evidence',
  address: 'placeAddress',
  notes: 'placeNotes',
  deletion: 'deletionOn',
  protection: 'protectedUntil',
} as const

interface DifferencesProps {
  readonly changes: readonly Change[]
  /** Of evidence, by id. */
  readonly names: ReadonlyMap<string, string>
}

/** What stood there, struck out, and what stands there now, in words. */
export function Differences({ changes, names }: DifferencesProps) {
  const { t } = useTranslation('cases')
  const { label } = useCaseFields()
  const words = useChangeWords(names)
  const nameOf = (of: ChangedField): string =>
    'field' in of ? label(of.field) : 'custom' in of ? visible(of.custom) : t(FACTS[of.fact])
  return (
    <dl className={styles['diff']}>
      {changes.map((change, at) => (
        <div key={at}>
          <dt>{nameOf(change.of)}</dt>
          <dd>
            <Told change={change} pieces={words(change)} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** A long text as what changed in it, with a few words around; everything else as what it was and is. */
function Told({ change, pieces }: { readonly change: Change; readonly pieces: readonly Piece[] }) {
  const { t } = useTranslation('cases')
  const text = change.kind === 'value' ? textChange(visible(change.was), visible(change.now)) : null
  if (text === null)
    return pieces.map(({ text: words, gone }) => (
      <Mark key={`${gone ? '-' : '+'} ${words}`} words={words} gone={gone} />
    ))
  return (
    <span className={styles['within']}>
      {text.cutBefore && '… '}
      {text.before}
      {text.was.trim() !== '' && <Mark words={text.was} gone />}
      {text.now.trim() !== '' && <Mark words={text.now} gone={false} />}
      {text.after}
      {text.cutAfter && ' …'}
      {text.was.trim() === '' && text.now.trim() === '' && t('onlySpaces')}
    </span>
  )
}

function Mark({ words, gone }: { readonly words: string; readonly gone: boolean }) {
  const { t } = useTranslation('cases')
  const Element = gone ? 'del' : 'ins'
  return (
    <Element className={styles[gone ? 'was' : 'now']}>
      <span className="unseen">{t(gone ? 'was' : 'isNow')}: </span>
      <bdi>{words}</bdi>
    </Element>
  )
}

interface Piece {
  readonly text: string
  readonly gone: boolean
}

function useChangeWords(names: ReadonlyMap<string, string>): (change: Change) => readonly Piece[] {
  const { t } = useTranslation('cases')
  const format = useFormat()
  const { nameOf } = useNames()
  const words = usePartWords()
  const valueWords = (of: ChangedField, value: string): string => {
    if ('custom' in of) return words({ custom: of.custom }, value)
    if ('fact' in of)
      return of.fact === 'deletion' || of.fact === 'protection'
        ? format.instant(value, { precision: 'minute' })
        : visible(value)
    return of.field === 'Personnel' ? visible(value) : words({ field: of.field }, value)
  }
  const item = (of: ChangedField, value: string): string =>
    'fact' in of && of.fact === 'evidence' ? visible(names.get(value) ?? value) : visible(value)
  return (change) => {
    const { of } = change
    if (change.kind === 'value')
      return [
        ...(change.was === '' ? [] : [{ text: valueWords(of, change.was), gone: true }]),
        ...(change.now === '' ? [] : [{ text: valueWords(of, change.now), gone: false }]),
      ]
    if (change.kind === 'list')
      return [
        ...change.gone.map((value) => ({ text: item(of, value), gone: true })),
        ...change.added.map((value) => ({ text: `+ ${item(of, value)}`, gone: false })),
      ]
    const who = nameOf({ PrincipalId: change.id, Username: change.who })
    const until = (time: string): string =>
      t('until', { time: format.instant(time, { precision: 'minute', year: false }) })
    const has = !isNothing(change.now)
    return [
      ...(isNothing(change.was) ? [] : [{ text: `${who}: ${accessWords(change.was, until, t)}`, gone: true }]),
      ...(has ? [{ text: `${who}: ${accessWords(change.now, until, t)}`, gone: false }] : []),
    ]
  }
}

const isNothing = ({ level, role }: Access): boolean => level === null && role === null

function accessWords({ level, until, role }: Access, untilWords: (time: string) => string, t: Words): string {
  return [
    ...(level === null ? [] : [levelWords(level, t)]),
    ...(role === null ? [] : [role === 'Assigned' ? t('assigned') : visible(role)]),
    ...(until === null ? [] : [untilWords(until)]),
  ].join(', ')
}
