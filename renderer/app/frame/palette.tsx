import { useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from '../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../shared/search/contract.ts'
import { call } from '../../client/api.ts'
import { usePageCommands } from '../../client/page-commands.ts'
import { recentVisits } from '../../client/recent.ts'
import { useOpenHit } from '../../client/use-open-hit.ts'
import { useSession } from '../../client/session.tsx'
import { useAddEvidence } from '../../client/uploads/use-add-evidence.ts'
import { type CommandItem, CommandPalette, type CommandSection } from '../../ui/command/palette.tsx'
import { type ClockText, useClockText } from '../../ui/clocks/clocks.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { useSubjects } from '../../features/help/use-subjects.ts'
import { visible } from '../../ui/format/visible.ts'
import { allPages } from '../pages.ts'
import { openPanel, showPanel } from './panel.ts'

/** Of each kind. */
const MOST_FOUND = 6

type Hit = z.output<typeof contract.SearchHit>

/** Ctrl K: finds everything one can view as one types, leads on to the search, and does whatever the window can do. */
export default function Palette({ onClose, onKeys }: { readonly onClose: () => void; readonly onKeys: () => void }) {
  const { t, language } = useTranslation('frame')
  const format = useFormat()
  const clockText = useClockText()
  const navigate = useNavigate()
  const { session, tenant, lock, signOut } = useSession()
  const administers = session.User?.Administrator === true
  const add = useAddEvidence()
  const ofPage = usePageCommands()
  const pages = useMemo(
    () =>
      allPages.flatMap(({ path, command, key, isOffered }) =>
        command === undefined || isOffered?.(session) === false
          ? []
          : [
              {
                id: path,
                label: command.name[language],
                icon: command.icon,
                words: command.words?.[language],
                keys: key === undefined ? undefined : `G ${key.letter.toUpperCase()}`,
                onRun: (): void => void navigate({ to: path }),
              },
            ],
      ),
    [session, language, navigate],
  )
  const recent = useRecent()
  const lead = useMemo(
    () => [
      { id: 'recent', label: t('searchRecent'), items: recent },
      { id: 'here', label: t('searchHere'), items: ofPage },
    ],
    [t, recent, ofPage],
  )
  const commands = useMemo(
    () => ({
      id: 'commands',
      label: t('searchCommands'),
      items: [
        ...ofPage,
        ...pages.filter(({ id }) => !isAdministration(id)),
        { id: 'add', label: t('commandAdd'), icon: 'upload' as const, onRun: (): void => add() },
        {
          id: 'jobs',
          label: t('jobsTitle'),
          icon: 'jobs' as const,
          keys: 'Ctrl J',
          onRun: (): void => openPanel('jobs'),
        },
        { id: 'undo', label: t('undoTitle'), icon: 'undo' as const, onRun: (): void => showPanel('undo') },
        { id: 'keys', label: t('shortcuts'), icon: 'keyboard' as const, keys: '?', onRun: (): void => onKeys() },
        { id: 'lock', label: t('lock'), icon: 'lock' as const, keys: 'Ctrl Shift L', onRun: (): void => void lock() },
        { id: 'sign-out', label: t('signOut'), icon: 'sign-out' as const, onRun: (): void => void signOut() },
        // Twelve lines that few want often.
        ...pages.filter(({ id }) => isAdministration(id)),
      ],
    }),
    [t, pages, add, onKeys, lock, signOut, ofPage],
  )
  const look = useCallback((q: string): void => void navigate({ to: '/search', search: { q } }), [navigate])
  const open = useOpenHit(look)
  const search = useCallback(
    async (text: string, signal: AbortSignal) => {
      if (text.trim() === '') return []
      const kinds: readonly Hit['Type'][][] = [
        ['Case'],
        ['Evidence'],
        administers ? ['User', 'Group'] : ['User'],
        ['Device'],
      ]
      const [cases, evidence, people, devices] = await Promise.all(
        kinds.map(async (Types) => {
          const body = { Query: text, Types, Count: MOST_FOUND, Facets: false }
          return (await call(contract.search, { params: { tenantId: tenant }, body, signal })).Hits
        }),
      )
      const all = [...(cases ?? []), ...(evidence ?? []), ...(people ?? []), ...(devices ?? [])]
      const items = (hits: readonly Hit[]) => hits.map((hit) => itemOf(hit, { format, clockText }, open))
      const rest = (hits: readonly Hit[] = []) => items(hits.filter(({ Exact }) => !Exact))
      return [
        { id: 'exact', label: t('searchExact'), items: items(all.filter(({ Exact }) => Exact)) },
        { id: 'cases', label: t('searchCases'), items: rest(cases) },
        { id: 'evidence', label: t('searchEvidence'), items: rest(evidence) },
        { id: 'people', label: t('searchPeople'), items: rest(people) },
        { id: 'devices', label: t('searchDevices'), items: rest(devices) },
      ]
    },
    [tenant, administers, open, format, clockText, t],
  )
  const help = useHelp()
  const everything = useCallback(
    (text: string): CommandItem => ({
      id: 'everything',
      label: t('searchAll', { text }),
      icon: 'search',
      onRun: () => void navigate({ to: '/search', search: { q: text } }),
    }),
    [navigate, t],
  )
  return (
    <CommandPalette
      placeholder={t('search')}
      commands={commands}
      further={help}
      lead={lead}
      search={search}
      everything={everything}
      nothing={(text: string) => t('searchNothing', { text })}
      onClose={onClose}
    />
  )
}

/** Subjects of the help that are shown: the first ones fit best. */
const MOST_SUBJECTS = 4

/** What of the help is about what is typed. Each leads to its steps. */
function useHelp(): (text: string) => readonly CommandSection[] {
  const { t } = useTranslation('frame')
  const { t: words } = useTranslation('help')
  const navigate = useNavigate()
  const subjectsOf = useSubjects()
  return useCallback(
    (text) => [
      {
        id: 'help',
        label: t('help'),
        items: subjectsOf(text)
          .slice(0, MOST_SUBJECTS)
          .map(({ id }) => ({
            id: `help-${id}`,
            label: words(id),
            icon: 'help' as const,
            onRun: () => void navigate({ to: '/help', search: { q: words(id) } }),
          })),
      },
    ],
    [subjectsOf, t, words, navigate],
  )
}

const isAdministration = (path: string): boolean => path.startsWith('/administration')

/** As many as are seen at once beside the commands of the page. */
const MOST_RECENT = 6

/** What one looked at last, without the page that one is on. */
function useRecent(): readonly CommandItem[] {
  const { session } = useSession()
  const navigate = useNavigate()
  const person = session.User?.PrincipalId ?? ''
  return useMemo(
    () =>
      recentVisits(person)
        .map(({ kind, id, title }) => ({
          id: `recent-${kind}-${id}`,
          path: kind === 'case' ? `/cases/${id}` : `/evidence/${id}`,
          label: visible(title),
          icon: ICONS[kind === 'case' ? 'Case' : 'Evidence'],
          onRun: (): void =>
            void (kind === 'case'
              ? navigate({ to: '/cases/$caseId', params: { caseId: id } })
              : navigate({ to: '/evidence/$evidenceId', params: { evidenceId: id } })),
        }))
        .filter(({ path }) => path !== location.pathname)
        .slice(0, MOST_RECENT),
    [person, navigate],
  )
}

const ICONS = { Case: 'cases', Evidence: 'evidence', User: 'user', Group: 'user', Device: 'devices' } as const

interface Written {
  readonly format: Format
  readonly clockText: ClockText
}

function timesOf({ StartTimeUtc, Clock }: Hit, { format, clockText }: Written): string {
  if (Clock !== null && Clock.CorrectedTimeUtc !== null) return clockText(Clock)
  return StartTimeUtc === null ? '' : format.instant(StartTimeUtc, { precision: 'minute' })
}

function itemOf(hit: Hit, written: Written, open: (hit: Hit) => void): CommandItem {
  const { Type, Id, DisplayName, Number: number, LocationText, Snippet, FoundIn } = hit
  // What somebody wrote is why it was found: the title says nothing of it.
  const said = FoundIn === null || Snippet === null ? [] : [Snippet]
  const place = [LocationText ?? Snippet].filter((text): text is string => text !== null)
  return {
    id: `${Type}-${Id}`,
    label: DisplayName,
    note: [...said, number ?? (Type === 'Evidence' ? Id : ''), timesOf(hit, written), ...(said.length > 0 ? [] : place)]
      .filter((text) => text !== '')
      .join(' · '),
    icon: ICONS[Type],
    onRun: () => open(hit),
  }
}
