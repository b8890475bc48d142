import { actorName } from '../../../../client/actor-name.ts'
import type { ReactNode } from 'react'
import { useCategories } from '../../../../client/categories.ts'
import { positionText } from '../../../../client/position.ts'
import { useIsMember } from '../../../../client/session.tsx'
import { type Translate, useTranslation } from '../../../../client/translate.ts'
import { Tag } from '../../../../ui/badge/badge.tsx'
import { TwoClocks } from '../../../../ui/clocks/clocks.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash } from '../../../../ui/hash/hash.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import { Editable } from '../../edit/editable.tsx'
import { useEditing } from '../../edit/editing.tsx'
import { useKeptWords, useValueWords } from '../../edit/fields.ts'
import { customPart, OFFICER, type Part } from '../../edit/parts.ts'
import { lazyOpened } from '../../../../client/lazy-opened.tsx'
import { withWords } from '../../../../client/i18n.ts'
import { type ClockSource, shownAt } from '../player/recorded.ts'
import type { Evidence, Media, Resource } from '../queries.ts'
import { visible } from '../text/visible.ts'
import { useStatus } from '../use-status.ts'
import styles from './details.module.css'

const Suggested = lazyOpened(
  async () => (await withWords(import('../../suggest/suggested.tsx'), 'evidenceSuggestions')).Suggested,
)

interface DetailsProps {
  readonly evidence: Evidence
  /** Null while they are asked for. */
  readonly resources: readonly Resource[] | null
  /** What is looked at; null where there is no file. */
  readonly resource: Resource | null
  readonly media: Media | null
  readonly clock: ClockSource
}

/** One with a part is changed in its place. */
type Fact = readonly [name: string, value: ReactNode, part?: Part]

/** Every member of the record, and of the file that is looked at. */
export function Details(props: DetailsProps) {
  const { t } = useTranslation('evidencePage')
  const { resource } = props
  return (
    <div className={styles['details']} tabIndex={0} role="group" aria-label={t('details')}>
      <Group title={t('detailsEvidence')} facts={useEvidenceFacts(props)} />
      <Group title={t('detailsFields')} facts={useFieldFacts(props.evidence)} />
      <Group title={t('detailsDevice')} facts={useDeviceFacts(props.evidence)} />
      {resource !== null && <FileGroup {...props} resource={resource} />}
      <Group title={t('detailsAccess')} facts={useAccessFacts(props.evidence)} />
      <details className={styles['technical']}>
        <summary className={styles['title']}>{t('detailsTechnical')}</summary>
        <Facts facts={useTechnicalFacts(props)} />
      </details>
    </div>
  )
}

function Group({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  const said = useSaid(facts)
  if (said.length === 0) return null
  return (
    <section className={styles['group']}>
      <h3 className={styles['title']}>{title}</h3>
      <Facts facts={said} />
    </section>
  )
}

/** Those with a value, and those that this person can give one. */
function useSaid(facts: readonly Fact[]): readonly Fact[] {
  const { may, drafts } = useEditing()
  const isNone = (value: ReactNode): boolean => value === null || value === ''
  return facts.filter(([, value, part]) => !isNone(value) || (part !== undefined && (may || drafts.has(part))))
}

function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const { may, drafts } = useEditing()
  return (
    <dl className={styles['facts']}>
      {useSaid(facts).map(([name, value, part]) => (
        <div key={part ?? name} data-open={(part !== undefined && drafts.get(part)?.place === 'details') || undefined}>
          <dt>{name}</dt>
          <dd>{part === undefined ? <Value>{value}</Value> : <Editable part={part}>{valueOf(value)}</Editable>}</dd>
          {part !== undefined && may && <Suggested part={part} />}
        </div>
      ))}
    </dl>
  )
}

/** Texts with whatever nobody could see made visible, in the direction of their own script. */
const valueOf = (value: ReactNode): ReactNode =>
  typeof value === 'string' && value !== '' ? <bdi>{visible(value)}</bdi> : value
const Value = ({ children }: { readonly children: ReactNode }) => valueOf(children)

const STATES = { None: 'stateOpen', UserCompleted: 'stateCompleted', Failed: 'stateFailed' } as const
const LIFECYCLES = { None: 'lifecycleNone', Protected: 'lifecycleProtected', Deleted: 'lifecycleDeleted' } as const
const ASSOCIATIONS = { None: 'linkNone', Manual: 'linkManual', Automatic: 'linkAutomatic' } as const
const IDENTITIES = { Claimed: 'deviceClaimed', Credential: 'deviceCredential', Docked: 'deviceDocked' } as const

function useEvidenceFacts({ evidence, resources, clock }: DetailsProps): readonly Fact[] {
  const { t } = useTranslation('evidencePage')
  const { t: acts } = useTranslation('evidenceActs')
  const { fields } = useEditing()
  const format = useFormat()
  const began = shownAt(clock, 0)
  const status = useStatus(evidence, resources ?? [])
  const category = useCategoryFact(evidence.CategoryId)
  const time = (at: string | null): string =>
    at === null ? '' : format.instant(at, { precision: 'millisecond', zone: true })
  const part = (name: Part, value: ReactNode): Fact => [fields.label(name), value, name]
  const isUnknown = began.recorded === null && began.corrected === null
  return [
    part('Name', evidence.Name),
    [t('status'), resources === null ? null : <StateMark state={status.state}>{status.word}</StateMark>],
    part('Description', evidence.Description === null ? null : <Lines text={evidence.Description} />),
    category,
    [
      fields.label('Tags'),
      evidence.Tags.length === 0 ? null : (
        <span className={styles['tags']}>
          {evidence.Tags.map((tag) => (
            <Tag key={tag}>{visible(tag)}</Tag>
          ))}
        </span>
      ),
    ],
    part('StartTimeUtc', isUnknown ? t('noClock') : <TwoClocks {...began} precision="millisecond" />),
    [t('startSaid'), time(evidence.StartTimeUtc)],
    part('EndTimeUtc', time(evidence.EndTimeUtc)),
    part('LocationText', evidence.LocationText),
    part('Position', positionText(evidence.LocationWKT)),
    [t('id'), <span className="id">{evidence.EvidenceId}</span>],
    [t('added'), `${time(evidence.CreatedTimeUtc)} · ${actorName(evidence.CreatedBy)}`],
    [t('state'), t(STATES[evidence.State])],
    [t('lifecycle'), t(LIFECYCLES[evidence.LifecycleState])],
    [acts('protectedUntil'), time(evidence.ProtectedUntil)],
    [t('association'), t(ASSOCIATIONS[evidence.AssociationState])],
    [
      t('deletedOn'),
      evidence.DeletedOnUtc === null
        ? null
        : `${time(evidence.DeletedOnUtc)} · ${evidence.DeletedBy === null ? '' : actorName(evidence.DeletedBy)}`,
    ],
  ]
}

/** What programs need and people seldom do. Where the file came from names places of the station, so only who manages it reads that. */
function useTechnicalFacts({ evidence, resource }: DetailsProps): readonly Fact[] {
  const { t } = useTranslation('evidencePage')
  const mono = (value: string): ReactNode => <span className={styles['mono']}>{value}</span>
  return [
    [t('concurrencyId'), mono(evidence.ConcurrencyId)],
    [t('source'), evidence.AccessorPermissions.includes('Manage') ? evidence.SourceId : null],
    [t('deviceRecord'), evidence.Device?.ExternalId ?? null],
    ...(resource === null
      ? []
      : ([
          [t('fileVersion'), mono(resource.ConcurrencyId)],
          [t('clockOffset'), resource.TimeOffset],
          [t('certificate'), resource.UploadCertificateThumbprint],
        ] satisfies Fact[])),
  ]
}

/** As it was typed, line by line. */
const Lines = ({ text }: { readonly text: string }) => (
  <bdi className={styles['lines']}>{text.split('\n').map(visible).join('\n')}</bdi>
)

function useDeviceFacts({ Device, DeviceIdentity }: Evidence): readonly Fact[] {
  const { t } = useTranslation('evidencePage')
  if (Device === null) return [[t('device'), t('deviceNone')]]
  return [
    [t('deviceType'), Device.DeviceType],
    [t('manufacturer'), Device.Manufacturer],
    [t('model'), Device.Model],
    [t('serial'), Device.SerialNumber],
    [t('deviceIdentity'), DeviceIdentity === null ? null : t(IDENTITIES[DeviceIdentity])],
  ]
}

function FileGroup({ resource, media }: { readonly resource: Resource; readonly media: Media | null }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const time = (at: string | null): string =>
    at === null ? '' : format.instant(at, { precision: 'millisecond', zone: true })
  return (
    <Group
      title={t('detailsFile')}
      facts={[
        [t('fileName'), resource.Name],
        [t('id'), <span className="id">{resource.ResourceId}</span>],
        [t('type'), resource.MimeType],
        [t('typeFound'), media === null || media.MimeType === resource.MimeType ? null : media.MimeType],
        [t('size'), resource.LengthInBytes === null ? null : format.exactBytes(resource.LengthInBytes)],
        [
          t('sha256'),
          resource.Sha256 === null ? null : (
            <Hash value={resource.Sha256} of={t('hashOf', { name: visible(resource.Name) })} />
          ),
        ],
        [
          t('uploaded'),
          resource.UploadedTimeUtc === null
            ? null
            : `${time(resource.UploadedTimeUtc)} · ${actorName(resource.UploadedBy)}`,
        ],
        [t('startRecorded'), time(resource.StartTimeUtc)],
        [t('endRecorded'), time(resource.EndTimeUtc)],
        ...(media === null ? [] : mediaFacts(media, t, format)),
      ]}
    />
  )
}

function mediaFacts(media: Media, t: Translate<'evidencePage'>, format: ReturnType<typeof useFormat>): readonly Fact[] {
  const { FrameRate: rate, Width, Height } = media
  const perSecond = rate === null ? null : rate.Numerator / rate.Denominator
  const number = new Intl.NumberFormat(format.locale, { maximumFractionDigits: 3 })
  return [
    [t('length'), media.DurationSeconds === null ? null : format.position(media.DurationSeconds)],
    [
      t('picture'),
      Width === null || Height === null
        ? null
        : t('pixels', { width: format.count(Width), height: format.count(Height) }),
    ],
    [t('rotation'), media.Rotation === 0 ? null : t('turnedShown', { degrees: format.count(media.Rotation) })],
    [
      t('frameRate'),
      perSecond === null
        ? null
        : t(media.VariableFrameRate ? 'framesUneven' : 'framesPerSecond', { rate: number.format(perSecond) }),
    ],
    [t('frameCount'), media.FrameCount === null ? null : format.count(media.FrameCount)],
    [t('codecs'), [media.VideoCodec, media.AudioCodec].filter(Boolean).join(', ')],
  ]
}

/** Those of the template in its order, the officer, and what the evidence holds of fields that are none any more. */
function useFieldFacts({ CustomFields: values }: Evidence): readonly Fact[] {
  const { fields } = useEditing()
  const words = useValueWords(fields)
  const known = fields.custom.map(({ name }) => name)
  const names = [...new Set([...known, OFFICER, ...Object.keys(values)])]
  return names.map((name) => {
    const part = customPart(name)
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
    return [fields.label(part), value === '' ? null : words(part, value), part]
  })
}

function useAccessFacts({ AccessPolicies, AccessorPermissions }: Evidence): readonly Fact[] {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  return [
    [t('yourRights'), AccessorPermissions.join(', ')],
    ...AccessPolicies.map(
      (policy): Fact => [
        visible(policy.Username),
        policy.ExpirationDateUtc === null
          ? policy.Permissions
          : `${policy.Permissions} · ${t('until', { time: format.instant(policy.ExpirationDateUtc, { precision: 'minute' }) })}`,
      ],
    ),
  ]
}

/** A category with how long it keeps. Guests may not read categories: an id says nothing to a person, and they choose none. */
function useCategoryFact(categoryId: string | null): Fact {
  const { t } = useTranslation('evidencePage')
  const { fields } = useEditing()
  const member = useIsMember()
  const keptWords = useKeptWords()
  const { data = [] } = useCategories()
  const label = fields.label('CategoryId')
  if (!member) return [label, null]
  const found = data.find((one) => one.CategoryId === categoryId)
  const value =
    found === undefined ? null : t('categoryKept', { name: visible(found.Name), kept: keptWords(found.RetentionDays) })
  return data.length === 0 ? [label, value] : [label, value, 'CategoryId']
}
