import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as acts from '../../../../shared/cases/case-acts.contract.ts'
import * as contract from '../../../../shared/cases/contract.ts'
import { Button, IconButton, ToggleButton } from '../../../ui/button/button.tsx'
import { useShortcuts } from '../../../ui/command/use-shortcuts.ts'
import { useOfferCommands } from '../../../client/page-commands.ts'
import { withWords } from '../../../client/i18n.ts'
import { useIsMember } from '../../../client/session.tsx'
import { lazyOpened } from '../../../client/lazy-opened.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { copyText } from '../../../ui/hash/copy.ts'
import { usePhone, useTouch } from '../../../ui/layout/use-media.ts'
import { Note } from '../../../ui/note/note.tsx'
import { Menu, type MenuItem } from '../../../ui/popover/menu.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Case, evidencesOf, useCaseAct } from '../queries.ts'
import type { Words } from '../people-labels.ts'
import { useNames } from '../people-names.tsx'
import { holds, useMay } from '../rights.ts'
import { CaseState } from '../states.tsx'
import { useMoves } from '../use-moves.ts'
import { Photograph } from './photograph.tsx'
import { PrintCase } from './print-case.tsx'
import styles from './page.module.css'

const DeleteDialog = lazyOpened(async () => (await import('./delete-dialog.tsx')).DeleteDialog)
const ProtectDialog = lazyOpened(async () => (await import('./protect-dialog.tsx')).ProtectDialog)
const HoldsDialog = lazyOpened(async () => (await withWords(import('./holds-dialog.tsx'), 'reports')).HoldsDialog)
const AskDialog = lazyOpened(async () => (await import('../work/ask-dialog.tsx')).AskDialog)
const ShareDialog = lazyOpened(async () => (await import('./share-dialog.tsx')).ShareDialog)

type Open = 'share' | 'protect' | 'delete' | 'print' | 'holds' | 'ask' | null

interface HeaderProps {
  readonly record: Case
  readonly past: boolean
  /** Makes a package of it; null where this person may not. */
  readonly onPackage: (() => void) | null
}

/** What it is called, how it stands, and what this person may do with it: what one may not is not there. */
export function PageHeader({ record, past, onPackage }: HeaderProps) {
  const { t } = useTranslation('cases')
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>(null)
  const phone = usePhone()
  const touch = useTouch()
  const editable = !past && record.State === 'Open' && holds(record, 'Edit')
  const edit = (): void => void navigate({ to: '/cases/$caseId/edit', params: { caseId: record.CaseId } })
  const mayShare = useMay('ShareCases') || holds(record, 'Manage')
  useShortcuts({ e: editable ? edit : undefined })
  useCaseCommands({ record, past, mayShare, onEdit: editable ? edit : null, onOpen: setOpen, onPackage })
  const title = visible(record.Title)
  return (
    <header className={styles['head']}>
      <h1 className={styles['title']} title={title}>
        <bdi>{title}</bdi>
      </h1>
      <span className={`${styles['ordinal']} id`}>{record.Ordinal}</span>
      <CaseState of={record} pill />
      {!past && (
        <div className={styles['acts']}>
          {editable && (phone || touch) && <Photograph record={record} />}
          {!phone && (
            <>
              <Follow record={record} />
              {mayShare && (
                <Button icon="share" onPress={() => setOpen('share')}>
                  {t('share')}
                </Button>
              )}
              {editable && (
                <Button icon="edit" onPress={edit}>
                  {t('edit')}
                </Button>
              )}
            </>
          )}
          <More
            record={record}
            onOpen={setOpen}
            onPackage={onPackage}
            first={phone ? { mayShare, onEdit: editable ? edit : null } : null}
          />
        </div>
      )}
      {open === 'print' && <PrintCase record={record} onClose={() => setOpen(null)} />}
      {open === 'holds' && <HoldsDialog record={record} onClose={() => setOpen(null)} />}
      {open === 'ask' && (
        <AskDialog caseId={record.CaseId} held={record.AccessorPermissions} onClose={() => setOpen(null)} />
      )}
      {open === 'share' && <ShareDialog record={record} onClose={() => setOpen(null)} />}
      {open === 'protect' && <ProtectDialog record={record} onClose={() => setOpen(null)} />}
      {open === 'delete' && <DeleteDialog record={record} onClose={() => setOpen(null)} />}
    </header>
  )
}

interface CommandsOf {
  readonly record: Case
  readonly past: boolean
  readonly mayShare: boolean
  readonly onEdit: (() => void) | null
  readonly onOpen: (open: Open) => void
  readonly onPackage: (() => void) | null
}

/** What the buttons of this page do, for the palette. */
function useCaseCommands({ record, past, mayShare, onEdit, onOpen, onPackage }: CommandsOf): void {
  const { t } = useTranslation('cases')
  const act = useCaseAct(record.CaseId)
  const protect = useMay('ProtectFromDeletion') && holds(record, 'Manage') && record.LifecycleState === 'Normal'
  const latest = useRef({ onEdit, onOpen, onPackage, act })
  useEffect(() => {
    latest.current = { onEdit, onOpen, onPackage, act }
  })
  const { Following: following } = record
  const mayEdit = onEdit !== null
  const mayPackage = onPackage !== null
  const commands = useMemo(() => {
    if (past) return []
    // The palette gives the focus back before a dialog can take it.
    const opening = (what: Open) => (): void => void setTimeout(() => latest.current.onOpen(what))
    const follow = (): void =>
      void latest.current.act(following ? contract.unfollowCase : contract.followCase, {}).catch(toasts.problem)
    return [
      ...(mayShare ? [{ id: 'page-share', label: t('share'), icon: 'share' as const, onRun: opening('share') }] : []),
      ...(mayEdit
        ? [
            {
              id: 'page-edit',
              label: t('edit'),
              icon: 'edit' as const,
              keys: 'E',
              onRun: () => latest.current.onEdit?.(),
            },
          ]
        : []),
      { id: 'page-follow', label: t(following ? 'unfollow' : 'follow'), icon: 'flag' as const, onRun: follow },
      ...(mayPackage
        ? [
            {
              id: 'page-package',
              label: t('packageDots'),
              words: t('packageWords'),
              icon: 'archive' as const,
              onRun: () => void setTimeout(() => latest.current.onPackage?.()),
            },
          ]
        : []),
      ...(protect
        ? [{ id: 'page-protect', label: t('protectDots'), icon: 'sealed' as const, onRun: opening('protect') }]
        : []),
    ]
  }, [t, past, mayShare, mayEdit, mayPackage, following, protect])
  useOfferCommands(commands)
}

function useFollow(record: Case): (on: boolean) => void {
  const act = useCaseAct(record.CaseId)
  return (on) => void act(on ? contract.followCase : contract.unfollowCase, {}).catch(toasts.problem)
}

function Follow({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  const follow = useFollow(record)
  return (
    <ToggleButton icon="flag" on={record.Following} onChange={follow}>
      {t(record.Following ? 'following' : 'follow')}
    </ToggleButton>
  )
}

function useUnprotect(record: Case): () => void {
  const { t } = useTranslation('cases')
  const act = useCaseAct(record.CaseId)
  return () => void act(acts.unprotectCase, {}).then(() => toasts.show({ text: t('unprotectedToast') }), toasts.problem)
}

interface MoreProps {
  readonly record: Case
  readonly onOpen: (open: Open) => void
  readonly onPackage: (() => void) | null
  /** What has no room beside the title on a phone. */
  readonly first: { readonly mayShare: boolean; readonly onEdit: (() => void) | null } | null
}

function More({ record, onOpen, onPackage, first }: MoreProps) {
  const { t } = useTranslation('cases')
  const { t: ofWork } = useTranslation('caseWork')
  const manage = holds(record, 'Manage')
  const asks = useIsMember() && !holds(record, 'Edit')
  const may = { protect: useMay('ProtectFromDeletion') && manage, remove: useMay('DeleteCasesAndFiles') && manage }
  const { close, reopen } = useMoves(record)
  const unprotect = useUnprotect(record)
  const follow = useFollow(record)
  const sections = useMemo(() => {
    const sealed = record.LifecycleState === 'Protected'
    const open = record.State === 'Open'
    const moves: MenuItem[] = [
      ...(manage && open ? [{ id: 'close', label: t('close'), icon: 'check' as const, onAction: close }] : []),
      ...(manage && !open ? [{ id: 'reopen', label: t('reopen'), icon: 'undo' as const, onAction: reopen }] : []),
      ...(may.protect && !sealed
        ? [{ id: 'protect', label: t('protectDots'), icon: 'sealed' as const, onAction: () => onOpen('protect') }]
        : []),
      ...(may.protect && sealed
        ? [{ id: 'unprotect', label: t('unprotect'), icon: 'unlock' as const, onAction: unprotect }]
        : []),
      ...(may.remove
        ? [
            {
              id: 'delete',
              label: t('deleteDots'),
              icon: 'trash' as const,
              danger: true,
              why: open ? t('deleteOpen') : sealed ? t('deleteSealed') : undefined,
              onAction: () => onOpen('delete'),
            },
          ]
        : []),
    ]
    const look: MenuItem[] = [
      ...(onPackage === null
        ? []
        : [{ id: 'package', label: t('packageDots'), icon: 'archive' as const, onAction: onPackage }]),
      { id: 'print', label: t('printDots'), icon: 'print', onAction: () => onOpen('print') },
      { id: 'holds', label: t('holdsDots'), icon: 'sealed', onAction: () => onOpen('holds') },
      ...(asks ? [{ id: 'ask', label: ofWork('askMore'), icon: 'key' as const, onAction: () => onOpen('ask') }] : []),
    ]
    const head: MenuItem[] =
      first === null
        ? []
        : [
            ...(first.onEdit === null
              ? []
              : [{ id: 'edit', label: t('edit'), icon: 'edit' as const, onAction: first.onEdit }]),
            ...(first.mayShare
              ? [{ id: 'share', label: t('share'), icon: 'share' as const, onAction: () => onOpen('share') }]
              : []),
            {
              id: 'follow',
              label: t(record.Following ? 'unfollow' : 'follow'),
              icon: 'flag',
              onAction: () => follow(!record.Following),
            },
          ]
    return [
      ...(head.length > 0 ? [{ items: head }] : []),
      { items: [...copies(record, t), ...look] },
      ...(moves.length > 0 ? [{ items: moves }] : []),
    ]
  }, [
    record,
    manage,
    asks,
    may.protect,
    may.remove,
    t,
    ofWork,
    close,
    reopen,
    unprotect,
    onOpen,
    onPackage,
    first,
    follow,
  ])
  return (
    <Menu
      label={t('more')}
      sections={sections}
      trigger={<IconButton icon="more" kind="plain" label={t('more')} tooltip={false} />}
    />
  )
}

function copies({ Ordinal }: Case, t: Words): readonly MenuItem[] {
  const copy = (text: () => string) => (): void =>
    void copyText(text()).then((done) => toasts.show({ text: t(done ? 'copied' : 'copyRefused') }))
  return [
    { id: 'link', label: t('copyLink'), icon: 'link', onAction: copy(() => location.href) },
    { id: 'ordinal', label: t('copyOrdinal'), icon: 'copy', onAction: copy(() => Ordinal) },
  ]
}

/** What must be known before anything else: closed, protected, links to confirm. */
export function CaseNotes({ record }: { readonly record: Case }) {
  const { t } = useTranslation('cases')
  const { managers } = useNames()
  const format = useFormat()
  const { reopen } = useMoves(record)
  const open = evidencesOf(record).filter(({ LinkKind, Confirmed }) => LinkKind === 'Automatic' && !Confirmed).length
  const closed = record.State === 'Closed'
  const sealed = record.LifecycleState === 'Protected'
  if (!closed && !sealed && open === 0) return null
  const day = (at: string | null): string => (at === null ? '' : format.day(at))
  return (
    <div className={styles['notes']}>
      {closed && (
        <Note
          icon="check"
          title={t('closedTitle', { day: day(record.ClosedOn) })}
          action={
            holds(record, 'Manage') && (
              <Button size="small" icon="undo" onPress={reopen}>
                {t('reopen')}
              </Button>
            )
          }
        >
          {[
            record.ScheduledDeletionUtc === null
              ? t('closedKept')
              : t('closedUntil', { day: day(record.ScheduledDeletionUtc) }),
            ...(holds(record, 'Manage') ? [] : [t('canReopen', { names: managers(record) })]),
          ].join(' ')}
        </Note>
      )}
      {sealed && (
        <Note
          state="sealed"
          title={
            record.ProtectedUntil === null
              ? t('sealedTitle')
              : t('sealedTitleUntil', { day: day(record.ProtectedUntil) })
          }
        >
          {t('sealedBody')}
        </Note>
      )}
      {open > 0 && (
        <Note state="attention" title={t('toConfirm', { count: open, shown: format.count(open) })}>
          {t('toConfirmBody')}
        </Note>
      )}
    </div>
  )
}
