import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Tag } from '../../../ui/badge/badge.tsx'
import { Button, IconButton, LinkButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { Menu } from '../../../ui/popover/menu.tsx'
import { StatePill } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import type { Addresses, Evidence, Resource } from './data.ts'
import { isOriginal } from './kinds.ts'
import styles from './page.module.css'
import { STATE_OF, type Status, statusOf } from './status.ts'
import { visible } from './text/visible.ts'

const WORDS: Readonly<Record<Status, `status${Capitalize<Status>}`>> = {
  danger: 'statusDanger',
  missing: 'statusMissing',
  open: 'statusOpen',
  working: 'statusWorking',
  attention: 'statusAttention',
  waiting: 'statusWaiting',
  sealed: 'statusSealed',
  verified: 'statusVerified',
}

interface HeaderProps {
  readonly evidence: Evidence
  /** Null while they are asked for. */
  readonly resources: readonly Resource[] | null
  readonly addresses: Addresses
}

/** What it is called, whether it is safe, and what can be taken away. */
export function PageHeader({ evidence, resources, addresses }: HeaderProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const name = visible(evidence.Name)
  const found = resources === null ? null : statusOf(evidence, resources)
  return (
    <header className={styles['head']}>
      <h1 className={styles['title']} title={name}>
        <bdi>{name}</bdi>
      </h1>
      {found !== null && (
        <StatePill state={STATE_OF[found.status]}>
          {t(WORDS[found.status])}
          {found.status === 'working' && found.progress !== null && `, ${format.percent(found.progress)}`}
        </StatePill>
      )}
      {evidence.Tags.length > 0 && (
        <ul className={styles['tags']} aria-label={t('tags')}>
          {evidence.Tags.map((tag) => (
            <li key={tag}>
              <Tag>{visible(tag)}</Tag>
            </li>
          ))}
        </ul>
      )}
      <div className={styles['acts']}>
        {evidence.AccessorPermissions.includes('Download') && resources !== null && (
          <Downloads resources={resources} addresses={addresses} />
        )}
        <More evidenceId={evidence.EvidenceId} />
      </div>
    </header>
  )
}

/** The originals as they came; what was made from them is in the tree. */
function Downloads({
  resources,
  addresses,
}: Pick<HeaderProps, 'addresses'> & { readonly resources: readonly Resource[] }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const whole = resources.filter((one) => isOriginal(one) && one.State === 'UserCompleted')
  const [first] = whole
  if (first === undefined) return null
  if (whole.length === 1)
    return (
      <LinkButton href={addresses.download(first.ResourceId)} icon="download" download>
        {t('download')}
      </LinkButton>
    )
  return (
    <Menu
      label={t('download')}
      trigger={<Button icon="download">{t('download')}</Button>}
      sections={[
        {
          items: whole.map(({ ResourceId, Name, LengthInBytes }) => ({
            id: ResourceId,
            label: `${visible(Name)}, ${format.bytes(LengthInBytes ?? 0)}`,
            href: addresses.download(ResourceId),
          })),
        },
      ]}
    />
  )
}

function More({ evidenceId }: { readonly evidenceId: string }) {
  const { t } = useTranslation('evidencePage')
  const sections = useMemo(() => {
    const copy = (text: () => string) => (): void =>
      void copyText(text()).then((done) => toasts.show({ text: t(done ? 'copied' : 'copyRefused') }))
    return [
      {
        items: [
          { id: 'link', label: t('copyLink'), icon: 'link' as const, onAction: copy(() => location.href) },
          { id: 'id', label: t('copyId'), icon: 'copy' as const, onAction: copy(() => evidenceId) },
        ],
      },
    ]
  }, [t, evidenceId])
  return (
    <Menu
      label={t('more')}
      sections={sections}
      trigger={<IconButton icon="more" kind="plain" label={t('more')} tooltip={false} />}
    />
  )
}
