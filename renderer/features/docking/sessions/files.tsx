import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useDockReasons } from '../../../client/dock-reasons.ts'
import { useTranslation } from '../../../client/translate.ts'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Hash, shortHash } from '../../../ui/hash/hash.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { StateMark } from '../../../ui/state/state.tsx'
import { Truncated, TwoLines } from '../../../ui/table/cells.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { DataTable } from '../../../ui/table/table.tsx'
import { windowOf } from '../../../client/pages.ts'
import { type Detail, type DockFile, useDockFiles } from './queries.ts'
import styles from './sessions.module.css'
import { OUTCOMES, type Words } from './labels.ts'

/** Everything that was on it, and what became of each. */
export function Files({ session }: { readonly session: Detail }) {
  const { t } = useTranslation('dockSessions')
  const format = useFormat()
  const version = [session.State, session.FilesDone, session.Cleared, session.Problems].join()
  const pages = useDockFiles(session.DockSessionId, version)
  const tell = useDockReasons()
  const columns = useMemo(() => columnsOf({ t, tell }, format, session.ClearRule), [t, tell, format, session.ClearRule])
  return (
    <div className={styles['body']}>
      {pages.error !== null && (
        <div className={styles['note']}>
          <Problem error={pages.error} onRetry={pages.retry} />
        </div>
      )}
      <DataTable<DockFile>
        label={t('files')}
        columns={columns}
        {...windowOf(pages)}
        keyOf={({ DockFileId }) => DockFileId}
        media
        empty={<EmptyState title={t('noFilesTitle')}>{t('noFilesBody')}</EmptyState>}
      />
    </div>
  )
}

interface Told {
  readonly t: Words
  /** Says a reason that the station gave. */
  readonly tell: (text: string) => string
}

/** @param rule of clearing: where it is `never`, that stands once, beside the list */
const columnsOf = ({ t, tell }: Told, format: Format, rule: string): readonly Column<DockFile>[] => [
  {
    id: 'path',
    label: t('fileName'),
    least: 11,
    cell: ({ Path }) => <Truncated text={visible(Path)} keep={14} />,
    text: ({ Path }) => visible(Path),
  },
  {
    id: 'size',
    label: t('size'),
    width: 5.5,
    align: 'end',
    cell: ({ LengthInBytes }) => format.bytes(LengthInBytes),
    text: ({ LengthInBytes }) => format.exactBytes(LengthInBytes),
  },
  {
    id: 'outcome',
    label: t('outcome'),
    least: 12,
    cell: (file) => (
      <span
        className={styles['outcome']}
        title={[outcomeWords(file, rule, t), reasonOf(file, { t, tell }, false)].filter(Boolean).join('. ')}
      >
        {file.CameraSha256 === null ? (
          <TwoLines
            first={<Outcome file={file} rule={rule} t={t} />}
            second={reasonOf(file, { t, tell }, rule === 'never')}
          />
        ) : (
          <Outcome file={file} rule={rule} t={t} />
        )}
      </span>
    ),
    text: (file) => [outcomeWords(file, rule, t), reasonOf(file, { t, tell }, false)].filter(Boolean).join('. '),
  },
  {
    id: 'hash',
    label: t('hash'),
    width: 14,
    priority: 2,
    cell: ({ Sha256, CameraSha256, Path }) =>
      Sha256 === null ? (
        '–'
      ) : CameraSha256 === null ? (
        <Hash value={Sha256} of={visible(Path)} />
      ) : (
        <TwoLines
          first={<Hash value={Sha256} of={visible(Path)} />}
          second={t('inTheList', { hash: shortHash(CameraSha256) })}
        />
      ),
    text: ({ Sha256, CameraSha256 }) =>
      [Sha256 ?? '', ...(CameraSha256 === null ? [] : [t('cameraHash', { hash: CameraSha256 })])].join('. '),
  },
  {
    id: 'evidence',
    label: t('evidence'),
    width: 6,
    align: 'end',
    priority: 3,
    cell: ({ EvidenceId }) =>
      EvidenceId === null ? (
        '–'
      ) : (
        <Link
          to="/evidence/$evidenceId"
          params={{ evidenceId: EvidenceId }}
          tabIndex={-1}
          className={styles['link']}
          aria-label={t('evidenceOpen', { id: EvidenceId })}
        >
          {EvidenceId}
        </Link>
      ),
    text: ({ EvidenceId }) => EvidenceId ?? '',
  },
]

const clearedWords = (rule: string, t: Words): string => t(rule === 'move' ? 'putAside' : 'cleared')

const outcomeWords = (file: DockFile, rule: string, t: Words): string =>
  [
    t(OUTCOMES[file.Outcome][1]),
    ...(file.CameraSha256 === null ? [] : [t('thenDiffers')]),
    ...(file.Cleared === 'cleared' ? [clearedWords(rule, t)] : []),
  ].join(', ')

function Outcome({ file, rule, t }: { readonly file: DockFile; readonly rule: string; readonly t: Words }) {
  const state = file.CameraSha256 === null ? OUTCOMES[file.Outcome][0] : 'attention'
  const words = outcomeWords(file, rule, t)
  return state === null ? (
    <>{words}</>
  ) : (
    <StateMark state={state} wraps={file.CameraSha256 !== null}>
      {words}
    </StateMark>
  )
}

const reasonOf = (
  { Reason, CameraSha256, Outcome: outcome, Cleared, KeptBecause }: DockFile,
  { t, tell }: Told,
  never: boolean,
): string =>
  [
    ...(CameraSha256 === null ? [] : [t('cameraHash', { hash: shortHash(CameraSha256) })]),
    ...(Reason === null || CameraSha256 !== null ? [] : [visible(tell(Reason))]),
    ...((outcome === 'taken' || outcome === 'here') && Cleared === 'kept'
      ? [KeptBecause === null || never ? t('kept') : `${t('kept')}: ${visible(tell(KeptBecause))}`]
      : []),
  ].join(' · ')
