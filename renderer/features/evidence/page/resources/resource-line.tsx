import { useJobReasons } from '../../../../client/job-reasons.ts'
import { useId, useState } from 'react'
import { labelOf } from '../../../../../shared/media/derivations.ts'
import { statusWord } from '../../../../client/evidence-status.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { TextButton } from '../../../../ui/button/button.tsx'
import { type Format, useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash, type HashCheck, shortHash } from '../../../../ui/hash/hash.tsx'
import { Icon, type IconName } from '../../../../ui/icon/icon.tsx'
import { ProgressBar } from '../../../../ui/progress/progress.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import { type Family, isBusy, isOriginal, type Role, roleOf } from '../kinds.ts'
import { clockOf, momentAt, shownTime } from '../player/recorded.ts'
import type { Evidence, Resource } from '../queries.ts'
import { makingWords, type Words } from '../stage/work.ts'
import { visible } from '../text/visible.ts'
import styles from './resources.module.css'
import type { Check } from './use-check.ts'

const ICON_OF: Readonly<Record<Role, IconName>> = {
  original: 'file',
  playable: 'play',
  sound: 'audio',
  still: 'still',
  clip: 'clip',
  crop: 'crop',
  preview: 'picture',
  metadata: 'list',
  captions: 'captions',
  other: 'file',
}

/** @param family of an original */
const iconOf = (resource: Resource, family: Family): IconName =>
  isOriginal(resource) ? family : ICON_OF[roleOf(resource)]

const NAMES = {
  playable: labelOf('playable'),
  sound: labelOf('audio'),
  preview: labelOf('preview'),
  metadata: labelOf('exif'),
  captions: 'roleCaptions',
  other: 'roleOther',
} as const

/** Originals keep their names; what was made is called by what it is. */
export function titleOf(resource: Resource, evidence: Evidence, t: Words, format: Format): string {
  const role = roleOf(resource)
  if (role === 'original') return visible(resource.Name)
  if (role === 'crop') return cropTitle(resource, t, format)
  if (role === 'clip') return clipTitle(resource, t, format)
  if (role !== 'still') return t(NAMES[role])
  const time = shownTime(momentAt(clockOf(evidence, resource, false), 0))
  return time === null ? visible(resource.Name) : t('roleStill', { time: format.timeOfDay(time, 'millisecond') })
}

/** A name that somebody gave stays; one that the station gave says no more than the range. */
function clipTitle({ Name, Taken }: Resource, t: Words, format: Format): string {
  if (Taken === null || !/ from \d+:\d\d:\d\d\.\d{3} to \d+:\d\d:\d\d\.\d{3}\.\w{3}$/.test(Name)) return visible(Name)
  return t('roleClip', { from: format.position(Taken.FromSeconds ?? 0), to: format.position(Taken.ToSeconds ?? 0) })
}

function cropTitle({ Name, Taken }: Resource, t: Words, format: Format): string {
  const area = Taken?.Area ?? null
  if (area === null || !/ part \d+ x \d+\.png$/.test(Name)) return visible(Name)
  return t('roleCrop', { width: format.count(area.Width), height: format.count(area.Height) })
}

interface ResourceLineProps {
  readonly resource: Resource
  readonly family: Family
  readonly evidence: Evidence
  readonly check: Check | null
  readonly onCheck: () => void
}

/** One file: what it is, its hash and when that was last looked at, and what it was made with. */
export function ResourceLine({ resource, family, evidence, check, onCheck }: ResourceLineProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { LengthInBytes, Sha256, Derivation } = resource
  const title = titleOf(resource, evidence, t, format)
  const size = LengthInBytes === null ? null : format.bytes(LengthInBytes)
  const kind = isOriginal(resource) ? t('original') : kindWords(resource, t)
  const checking = check !== null && !check.ended
  return (
    <div className={styles['line']}>
      <div className={styles['head']}>
        <Icon name={iconOf(resource, family)} />
        <bdi className={styles['name']} title={visible(resource.Name)}>
          {title}
        </bdi>
        <span
          className={styles['kind']}
          {...(LengthInBytes === null ? {} : { title: format.exactBytes(LengthInBytes) })}
        >
          {[kind, size].filter((part) => part !== null && part !== '').join(' · ')}
        </span>
      </div>
      <div className={styles['proof']}>
        {Sha256 === null ? (
          <StateMark state={resource.State === 'Failed' ? 'attention' : 'waiting'} small>
            {resource.State === 'Failed' ? t('statusRefused') : statusWord('open')}
          </StateMark>
        ) : (
          <Hash
            value={Sha256}
            of={t('hashOf', { name: title })}
            lastCheck={checkWords(resource.LastCheck, t, format)}
            onCheck={onCheck}
            checking={checking}
          />
        )}
        {check !== null && <CheckTold check={check} resource={resource} />}
        {Derivation !== null && <Made derivation={Derivation} />}
        <Working resource={resource} />
      </div>
    </div>
  )
}

const kindWords = (resource: Resource, t: Words): string =>
  [fileKind(resource, t), resource.Taken === null ? '' : takenKind(resource.Taken.Kind, t)]
    .filter((part) => part !== '')
    .join(' · ')

const takenKind = (kind: NonNullable<Resource['Taken']>['Kind'], t: Words): string =>
  kind === 'exact' ? t('kindExact') : kind === 'stream' ? t('kindStream') : ''

const fileKind = ({ MimeType }: Resource, t: Words): string =>
  MimeType.endsWith('/json-exif') ? t('kindMetadata') : (/\/([a-z0-9]+)$/.exec(MimeType)?.[1]?.toUpperCase() ?? '')

/** How far the reading is, and in words what it found: announced, since somebody waits for it. */
function CheckTold({ check, resource }: { readonly check: Check; readonly resource: Resource }) {
  const { t } = useTranslation('evidencePage')
  const { job, ended, error } = check
  const result = resource.LastCheck
  const fresh =
    result !== null && result.Kind === 'requested' && job !== null && result.TimeUtc >= (job.StartedTimeUtc ?? '')
  return (
    <div className={styles['check']}>
      {!ended && (
        <ProgressBar
          label={t('checkReading')}
          value={job === null || job.Progress === null ? null : job.Progress * 100}
        />
      )}
      <p role="status" className={styles['told']}>
        {error !== null ? (
          <StateMark state="attention" small>
            {t('checkFailed', { message: error.message })}
          </StateMark>
        ) : !ended ? (
          t('checkReading')
        ) : (
          fresh && (
            <StateMark state={result.Result === 'matches' ? 'ok' : 'danger'} small>
              {t(FOUND[result.Result])}
            </StateMark>
          )
        )}
      </p>
    </div>
  )
}

const FOUND = { matches: 'foundMatches', changed: 'foundChanged', missing: 'foundMissing' } as const

function Made({ derivation }: { readonly derivation: NonNullable<Resource['Derivation']> }) {
  const { t } = useTranslation('evidencePage')
  const [shown, setShown] = useState(false)
  const id = useId()
  const { Tool, Version, Arguments, InputSha256 } = derivation
  if (Tool === 'identity') return <p className={styles['how']}>{t('sameBytes')}</p>
  return (
    <div className={styles['how']}>
      <span title={InputSha256}>
        {t('madeBy', { tool: visible(Tool), version: visible(Version), hash: shortHash(InputSha256) })}{' '}
      </span>
      <span aria-controls={id}>
        <TextButton onPress={() => setShown(!shown)}>{t(shown ? 'hideCommand' : 'showCommand')}</TextButton>
      </span>
      <pre id={id} className={styles['command']} hidden={!shown}>
        {[Tool, ...Arguments].map((word) => visible(quoted(word))).join(' ')}
      </pre>
    </div>
  )
}

/** As one would type it. */
const quoted = (word: string): string => (/^[\w./:=,%@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** Work on it that goes on, and work that did not succeed. */
function Working({ resource }: { readonly resource: Resource }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const say = useJobReasons()
  const derive = resource.Processing.filter(({ Kind }) => Kind.startsWith('derive.'))
  return (
    <>
      {derive
        .filter((work) => isBusy(work) || work.State === 'failed')
        .map((work) => (
          <p key={work.Kind} className={styles['work']}>
            <StateMark
              state={work.State === 'failed' ? 'attention' : work.State === 'running' ? 'working' : 'waiting'}
              small
            >
              {makingWords(work.Kind, t)}
              {work.State === 'running' && work.Progress !== null && `, ${format.percent(work.Progress)}`}
            </StateMark>
            {work.Message !== '' && <span className={styles['message']}> {say(work.Message)}</span>}
          </p>
        ))}
    </>
  )
}

/** Result and date of the last time the bytes were read, as it was done: *read back* only where that took place. */
function checkWords(check: Resource['LastCheck'], t: Words, format: Format): HashCheck | undefined {
  if (check === null) return undefined
  const time = format.timeOrDay(check.TimeUtc)
  if (check.Result === 'missing') return { state: 'danger', words: t('checkMissing', { time }) }
  if (check.Result === 'changed') return { state: 'danger', words: t('checkChanged', { time }) }
  if (check.Kind === 'ingest') return { state: 'ok', words: t('checkReadBack', { time }) }
  return { state: 'ok', words: t(check.ReadBack === 'cache' ? 'checkMatchesCache' : 'checkMatches', { time }) }
}
