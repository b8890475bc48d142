import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import * as caseList from '../../../shared/contract/case-list.ts'
import * as documents from '../../../shared/contract/documents.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useSections } from '../../features/administration/rights.ts'
import { useAddEvidence } from '../../client/uploads/use-add-evidence.ts'
import { useMayApprove } from '../../features/disposition/data.ts'
import { CommandPalette } from '../../ui/command/palette.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { openPanel } from './panel.ts'

const MOST_FOUND = '12'

/** Ctrl K: finds evidence by name, id, tag and file name, cases by their words and numbers, and does whatever the window can do. */
export default function Palette({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const { t } = useTranslation('frame')
  const { t: administration } = useTranslation('administration')
  const sections = useSections()
  const format = useFormat()
  const navigate = useNavigate()
  const { tenant, lock, signOut } = useSession()
  const add = useAddEvidence()
  const disposes = useMayApprove()
  const commands = useMemo(
    () => ({
      id: 'commands',
      label: t('searchCommands'),
      items: [
        {
          id: 'evidence',
          label: t('commandEvidence'),
          icon: 'evidence' as const,
          keys: 'G E',
          onRun: (): void => void navigate({ to: '/evidence' }),
        },
        {
          id: 'cases',
          label: t('commandCases'),
          icon: 'cases' as const,
          keys: 'G C',
          onRun: (): void => void navigate({ to: '/cases' }),
        },
        ...(disposes
          ? [
              {
                id: 'disposition',
                label: t('commandDisposition'),
                icon: 'disposition' as const,
                onRun: (): void => void navigate({ to: '/disposition' }),
              },
            ]
          : []),
        {
          id: 'case-new',
          label: t('commandCaseNew'),
          icon: 'plus' as const,
          onRun: (): void => void navigate({ to: '/cases/new' }),
        },
        {
          id: 'account',
          label: t('myAccount'),
          icon: 'user' as const,
          onRun: (): void => void navigate({ to: '/account' }),
        },
        // Those that are open to whoever asks, by the names that they have there.
        ...sections.map(({ id, to }) => ({
          id: `administration-${id}`,
          label: t('commandAdministration', { page: administration(id) }),
          icon: 'settings' as const,
          onRun: (): void => void navigate({ to }),
        })),
        { id: 'add', label: t('commandAdd'), icon: 'upload' as const, onRun: (): void => add() },
        {
          id: 'jobs',
          label: t('jobsTitle'),
          icon: 'jobs' as const,
          keys: 'Ctrl J',
          onRun: (): void => openPanel('jobs'),
        },
        { id: 'keys', label: t('shortcuts'), icon: 'keyboard' as const, keys: '?', onRun: (): void => onKeys() },
        { id: 'lock', label: t('lock'), icon: 'lock' as const, keys: 'Ctrl Shift L', onRun: (): void => void lock() },
        { id: 'sign-out', label: t('signOut'), icon: 'sign-out' as const, onRun: (): void => void signOut() },
        {
          id: 'parts',
          label: t('commandParts'),
          icon: 'info' as const,
          onRun: (): void => void navigate({ to: '/parts' }),
        },
      ],
    }),
    [t, administration, sections, navigate, add, onKeys, lock, signOut, disposes],
  )
  const search = useCallback(
    async (text: string, signal: AbortSignal) => {
      if (text.trim() === '') return []
      const [{ Items }, cases] = await Promise.all([
        call(documents.listEvidence, {
          params: { tenantName: tenant },
          query: { text, count: MOST_FOUND },
          signal,
        }),
        call(caseList.listCases, { params: { tenantId: tenant }, query: { text, count: MOST_FOUND }, signal }),
      ])
      const items = Items.map((item) => ({
        id: item.EvidenceId,
        label: item.Name,
        note: [
          item.EvidenceId,
          ...(item.Summary.RecordedTimeUtc === null ? [] : [format.instant(item.Summary.RecordedTimeUtc)]),
        ].join(' · '),
        icon: 'evidence' as const,
        onRun: (): void => void navigate({ to: '/evidence/$evidenceId', params: { evidenceId: item.EvidenceId } }),
      }))
      const caseItems = cases.Items.map((item) => ({
        id: `case-${item.CaseId}`,
        label: item.Title,
        note: [item.Ordinal, ...(item.LocationText === null ? [] : [item.LocationText])].join(' · '),
        icon: 'cases' as const,
        onRun: (): void => void navigate({ to: '/cases/$caseId', params: { caseId: item.CaseId } }),
      }))
      return [
        { id: 'evidence', label: t('searchEvidence'), items },
        { id: 'cases', label: t('cases'), items: caseItems },
      ]
    },
    [tenant, navigate, format, t],
  )
  return (
    <CommandPalette
      placeholder={t('search')}
      commands={commands}
      search={search}
      nothing={(text: string) => t('searchNothing', { text })}
      onClose={onClose}
    />
  )
}
