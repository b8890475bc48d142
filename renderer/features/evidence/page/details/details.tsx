import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import * as contract from '../../../../../shared/cases/categories.contract.ts'
import { EVIDENCE_FIELDS, type EvidenceFieldName, fieldOf, namesIn } from '../../../../../shared/evidence/fields.ts'
import { call } from '../../../../client/api.ts'
import { useIsMember, useSession } from '../../../../client/session.tsx'
import { type Translate, useTranslation } from '../../../../client/translate.ts'
import { Tag } from '../../../../ui/badge/badge.tsx'
import { TwoClocks } from '../../../../ui/clocks/clocks.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash } from '../../../../ui/hash/hash.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import { type ClockSource, shownAt } from '../player/recorded.ts'
import type { Evidence, Media, Resource } from '../queries.ts'
import { visible } from '../text/visible.ts'
import { useStatus } from '../use-status.ts'
import styles from './details.module.css'

interface DetailsProps {
  readonly evidence: Evidence
  /** Null while they are asked for. */
  readonly resources: readonly Resource[] | null
  /** What is looked at; null where there is no file. */
  readonly resource: Resource | null
  readonly media: Media | null
  readonly clock: ClockSource
}

type Fact = readonly [name: string, value: ReactNode]

/** Every member of the record, and of the file that is looked at. */
export function Details(props: DetailsProps) {
  const { t } = useTranslation('evidencePage')
  const { resource } = props
  return (
    <div className={styles['details']} tabIndex={0} role="group" aria-label={t('details')}>
      <Group title={t('detailsEvidence')} facts={useEvidenceFacts(props)} />
      <Group title={t('detailsDevice')} facts={useDeviceFacts(props.evidence)} />
      {resource !== null && <FileGroup {...props} resource={resource} />}
      <Group title={t('detailsFields')} facts={fieldsOf(props.evidence)} />
      <Group title={t('detailsAccess')} facts={useAccessFacts(props.evidence)} />
    </div>
  )
}

function Group({ title, facts }: { readonly title: string; readonly facts: readonly Fact[] }) {
  const said = facts.filter(([, value]) => value !== null && value !== '')
  if (said.length === 0) return null
  return (
    <section className={styles['group']}>
      <h3 className={styles['title']}>{title}</h3>
      <dl className={styles['facts']}>
        {said.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? <bdi>{visible(value)}</bdi> : value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const STATES = { None: 'stateOpen', UserCompleted: 'stateCompleted', Failed: 'stateFailed' } as const
const LIFECYCLES = { None: 'lifecycleNone', Protected: 'lifecycleProtected', Deleted: 'lifecycleDeleted' } as const
const ASSOCIATIONS = { None: 'linkNone', Manual: 'linkManual', Automatic: 'linkAutomatic' } as const
const IDENTITIES = { Claimed: 'deviceClaimed', Credential: 'deviceCredential', Docked: 'deviceDocked' } as const

function useEvidenceFacts({ evidence, resources, clock }: DetailsProps): readonly Fact[] {
  const { t } = useTranslation('evidencePage')
  const { t: acts } = useTranslation('evidenceActs')
  const format = useFormat()
  const began = shownAt(clock, 0)
  const status = useStatus(evidence, resources ?? [])
  const category = useCategoryName(evidence.CategoryId)
  const time = (at: string | null): string =>
    at === null ? '' : format.instant(at, { precision: 'millisecond', zone: true })
  const plain = (names: readonly EvidenceFieldName[]): readonly Fact[] =>
    names.map((name) => [t(fieldOf(name).label), evidence[name]])
  return [
    ...plain(namesIn('name')),
    [t('status'), resources === null ? null : <StateMark state={status.state}>{status.word}</StateMark>],
    ...plain(namesIn('about')),
    [t('id'), <span className="id">{evidence.EvidenceId}</span>],
    [
      t('tags'),
      evidence.Tags.length === 0 ? null : (
        <span className={styles['tags']}>
          {evidence.Tags.map((tag) => (
            <Tag key={tag}>{visible(tag)}</Tag>
          ))}
        </span>
      ),
    ],
    [
      t('began'),
      began.recorded === null && began.corrected === null ? (
        t('noClock')
      ) : (
        <TwoClocks {...began} precision="millisecond" />
      ),
    ],
    ...namesIn('times').map((name): Fact => [t(fieldOf(name).label), time(evidence[name])]),
    [t('added'), `${time(evidence.CreatedTimeUtc)} · ${evidence.CreatedBy.Username}`],
    [t('state'), t(STATES[evidence.State])],
    [t('lifecycle'), t(LIFECYCLES[evidence.LifecycleState])],
    [acts('protectedUntil'), time(evidence.ProtectedUntil)],
    [t('association'), t(ASSOCIATIONS[evidence.AssociationState])],
    [t(EVIDENCE_FIELDS.CategoryId.label), category],
    ...plain(namesIn('source', 'place')),
    [
      t('deletedOn'),
      evidence.DeletedOnUtc === null ? null : `${time(evidence.DeletedOnUtc)} · ${evidence.DeletedBy?.Username ?? ''}`,
    ],
    [t('concurrencyId'), <span className={styles['mono']}>{evidence.ConcurrencyId}</span>],
  ]
}

function useDeviceFacts({ Device, DeviceIdentity }: Evidence): readonly Fact[] {
  const { t } = useTranslation('evidencePage')
  if (Device === null) return [[t('device'), t('deviceNone')]]
  return [
    [t('deviceType'), Device.DeviceType],
    [t('manufacturer'), Device.Manufacturer],
    [t('model'), Device.Model],
    [t('serial'), Device.SerialNumber],
    [t('deviceRecord'), Device.ExternalId],
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
            : `${time(resource.UploadedTimeUtc)} · ${resource.UploadedBy.Username}`,
        ],
        [t('startRecorded'), time(resource.StartTimeUtc)],
        [t('endRecorded'), time(resource.EndTimeUtc)],
        [t('clockOffset'), resource.TimeOffset],
        [t('certificate'), resource.UploadCertificateThumbprint],
        ...(media === null ? [] : mediaFacts(media, t, format)),
        [t('concurrencyId'), <span className={styles['mono']}>{resource.ConcurrencyId}</span>],
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

const fieldsOf = ({ CustomFields }: Evidence): readonly Fact[] =>
  Object.entries(CustomFields).map(([name, value]) => [visible(name), value])

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

/** Categories change seldom; the other pages ask under the same key. */
const FRESH_MS = 60_000

/** Null while it is not known, and for guests, who may not read categories: an id says nothing to a person. */
function useCategoryName(categoryId: string | null): string | null {
  const { tenant } = useSession()
  const member = useIsMember()
  const { data } = useQuery({
    queryKey: ['categories', tenant],
    staleTime: FRESH_MS,
    enabled: member && categoryId !== null,
    queryFn: ({ signal }) => call(contract.listCategories, { params: { tenantId: tenant }, signal }),
  })
  const found = data?.find((one) => one.CategoryId === categoryId)
  return found === undefined ? null : visible(found.Name)
}
