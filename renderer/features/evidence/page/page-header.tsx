import { useMemo, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { useOfferCommands } from '../../../client/page-commands.ts'
import { Button, IconButton, LinkButton } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { copyText } from '../../../ui/hash/copy.ts'
import { usePhone } from '../../../ui/layout/use-media.ts'
import { Menu, type MenuItem } from '../../../ui/popover/menu.tsx'
import { StatePill } from '../../../ui/state/state.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { useActs } from '../acts/acts.ts'
import { type Act, fits, useMayAct } from '../acts/targets.ts'
import { type Decision, DecisionDialog } from '../acts/dialogs.tsx'
import { usePrintChoices } from '../print-button.tsx'
import { PrintDialog } from '../../../ui/print/print.tsx'
import { Tags } from '../edit/tags.tsx'
import { Title } from '../edit/title.tsx'
import type { Addresses, Evidence, Resource } from './queries.ts'
import { isOriginal } from './kinds.ts'
import styles from './page.module.css'
import { visible } from './text/visible.ts'
import { useStatus } from './use-status.ts'

interface HeaderProps {
  readonly evidence: Evidence
  /** Null while they are asked for. */
  readonly resources: readonly Resource[] | null
  readonly addresses: Addresses
}

/** What it is called, whether it is safe, and what can be taken away. */
export function PageHeader({ evidence, resources, addresses }: HeaderProps) {
  const [open, setOpen] = useState<Decision | null>(null)
  const [printing, setPrinting] = useState(false)
  useDecisionCommands(evidence, setOpen)
  const phone = usePhone()
  return (
    <header className={styles['head']}>
      <Title />
      {resources !== null && <HeaderStatus evidence={evidence} resources={resources} />}
      {/* On a phone they are with the details: the picture comes first. */}
      {!phone && <Tags />}
      <div className={styles['acts']}>
        {evidence.AccessorPermissions.includes('Download') && resources !== null && (
          <Downloads resources={resources} addresses={addresses} />
        )}
        <More evidence={evidence} onOpen={setOpen} onPrint={() => setPrinting(true)} />
      </div>
      {printing && <Print evidence={evidence} onClose={() => setPrinting(false)} />}
      {open !== null && <DecisionDialog decision={open} targets={[evidence]} onClose={() => setOpen(null)} />}
    </header>
  )
}

/** What a decision needs first, for the palette: it is offered where it is in the menus too. */
function useDecisionCommands(evidence: Evidence, onOpen: (open: Decision) => void): void {
  const { t } = useTranslation('evidenceList')
  const may = useMayAct()
  const offered = DECISIONS.filter((act) => may[act] && fits(act, evidence)).join(' ')
  const commands = useMemo(
    () =>
      DECISIONS.filter((act) => offered.split(' ').includes(act)).map((act) => ({
        id: `page-${act}`,
        label: t(act),
        icon: DECISION_ICONS[act],
        // The palette gives the focus back before a dialog can take it.
        onRun: (): void => void setTimeout(() => onOpen(act)),
      })),
    [offered, t, onOpen],
  )
  useOfferCommands(commands)
}

const DECISIONS = ['link', 'category', 'share', 'guestLink', 'officer', 'move', 'protect', 'delete'] as const
const DECISION_ICONS = {
  link: 'link',
  category: 'archive',
  share: 'share',
  guestLink: 'share',
  officer: 'user',
  move: 'cases',
  protect: 'sealed',
  delete: 'trash',
} as const

type StatusProps = Pick<HeaderProps, 'evidence'> & { readonly resources: readonly Resource[] }

function HeaderStatus({ evidence, resources }: StatusProps) {
  const { state, word } = useStatus(evidence, resources)
  return <StatePill state={state}>{word}</StatePill>
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

/** Paper of one evidence, and a label for it. */
function Print({ evidence, onClose }: { readonly evidence: Evidence; readonly onClose: () => void }) {
  const { EvidenceId: id, Name: name, Clock, CreatedTimeUtc } = evidence
  const choices = usePrintChoices(id, { id, name, at: Clock.CorrectedTimeUtc ?? CreatedTimeUtc })
  return <PrintDialog name={name} choices={choices} onClose={onClose} />
}

interface MoreProps {
  readonly evidence: Evidence
  readonly onPrint: () => void
  readonly onOpen: (open: Decision) => void
}

/** What this person may do with it as it stands: what one may not is not there. */
function useActItems({ evidence, onOpen }: Omit<MoreProps, 'onPrint'>): readonly MenuItem[] {
  const { t } = useTranslation('evidenceActs')
  const may = useMayAct()
  const { unprotect } = useActs()
  const can = (act: Act): boolean => may[act] && fits(act, evidence)
  const sealed = evidence.LifecycleState === 'Protected'
  const manage = evidence.AccessorPermissions.includes('Manage')
  return [
    ...(can('link')
      ? [{ id: 'link-case', label: t('linkDots'), icon: 'link' as const, onAction: () => onOpen('link') }]
      : []),
    ...(can('share')
      ? [{ id: 'share', label: t('shareDots'), icon: 'share' as const, onAction: () => onOpen('share') }]
      : []),
    ...(can('guestLink')
      ? [
          { id: 'guest-link', label: t('guestLinkDots'), icon: 'share' as const, onAction: () => onOpen('guestLink') },
          {
            id: 'guest-links',
            label: t('guestLinks'),
            icon: 'eye' as const,
            href: `/shared-links?evidence=${evidence.EvidenceId}`,
          },
        ]
      : []),
    ...(can('move')
      ? [{ id: 'move', label: t('moveDots'), icon: 'cases' as const, onAction: () => onOpen('move') }]
      : []),
    ...(can('restrict')
      ? [{ id: 'restrict', label: t('restrictDots'), icon: 'barred' as const, onAction: () => onOpen('restrict') }]
      : []),
    ...(can('protect')
      ? [{ id: 'protect', label: t('protectDots'), icon: 'sealed' as const, onAction: () => onOpen('protect') }]
      : []),
    ...(can('unprotect')
      ? [
          {
            id: 'unprotect',
            label: t('unprotect'),
            icon: 'unlock' as const,
            onAction: () =>
              void unprotect([evidence]).then(() => toasts.show({ text: t('unprotectedToast') }), toasts.problem),
          },
        ]
      : []),
    ...(may.delete && manage
      ? [
          {
            id: 'delete',
            label: t('deleteDots'),
            icon: 'trash' as const,
            danger: true,
            why: sealed ? t('deleteSealed') : undefined,
            onAction: () => onOpen('delete'),
          },
        ]
      : []),
  ]
}

function More(props: MoreProps) {
  const { t } = useTranslation('evidencePage')
  const evidenceId = props.evidence.EvidenceId
  const { onPrint } = props
  const items = useActItems(props)
  const copies = useMemo(() => {
    const copy = (text: () => string) => (): void =>
      void copyText(text()).then((done) => toasts.show({ text: t(done ? 'copied' : 'copyRefused') }))
    return [
      {
        items: [
          { id: 'link', label: t('copyLink'), icon: 'link' as const, onAction: copy(() => location.href) },
          { id: 'id', label: t('copyId'), icon: 'copy' as const, onAction: copy(() => evidenceId) },
          { id: 'print', label: t('printDots'), icon: 'print' as const, onAction: onPrint },
        ],
      },
    ]
  }, [t, evidenceId, onPrint])
  return (
    <Menu
      label={t('more')}
      sections={[...copies, ...(items.length === 0 ? [] : [{ items }])]}
      trigger={<IconButton icon="more" kind="plain" label={t('more')} tooltip={false} />}
    />
  )
}
