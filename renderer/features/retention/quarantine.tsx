import { useMemo, useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { isReason, LONGEST_REASON } from '../../../shared/retention/disposition.contract.ts'
import * as contract from '../../../shared/retention/quarantine.contract.ts'
import { call } from '../../client/api.ts'
import { useQuarantineReasons } from '../../client/quarantine-reasons.ts'
import { useSession } from '../../client/session.tsx'
import { useTextDraft } from '../../client/use-text-draft.ts'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { type Format, useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { asError } from '../../ui/problem/as-error.ts'
import { Hash } from '../../ui/hash/hash.tsx'
import { Note } from '../../ui/note/note.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { TwoLines } from '../../ui/table/cells.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/table.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { type Quarantined, useQuarantine, useRefresh } from './queries.ts'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { SidePane, TwoPane, WorkPane } from '../../ui/layout/two-pane.tsx'
import styles from './disposition.module.css'
import { windowOf } from '../../client/pages.ts'
import { Failed } from './pages.tsx'
import { Problem } from './problem.tsx'
import { Provenance } from './provenance.tsx'

import { leftWords, nameOf, WHY_NOT, type Words } from './labels.ts'

/** Bytes that were put aside: kept until two people let them go. */
export function Quarantine() {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const pages = useQuarantine(true)
  const tell = useQuarantineReasons()
  const columns = useMemo(() => columnsOf(t, tell, format), [t, tell, format])
  const [open, setOpen] = useState<string | null>(null)
  const one = pages.rows?.find(({ QuarantineId }) => QuarantineId === open)
  return (
    <>
      <Failed pages={pages} />
      <TwoPane className={styles['columns']}>
        <WorkPane label={t('quarantineTitle')}>
          <div className={styles['body']}>
            <DataTable<Quarantined>
              label={t('quarantineTitle')}
              columns={columns}
              {...windowOf(pages)}
              keyOf={({ QuarantineId }) => QuarantineId}
              onOpen={({ QuarantineId }) => setOpen(QuarantineId)}
              media
              empty={<EmptyState title={t('emptyQuarantineTitle')}>{t('emptyQuarantineBody')}</EmptyState>}
            />
          </div>
        </WorkPane>
        {one !== undefined && <Panel key={one.QuarantineId} one={one} onDone={() => setOpen(null)} />}
      </TwoPane>
    </>
  )
}

const sizeOf = ({ LengthInBytes }: Quarantined, format: Format): string =>
  LengthInBytes === null ? '' : format.bytes(LengthInBytes)
const belongsTo = ({ EvidenceId }: Quarantined, t: Words): string =>
  EvidenceId === null ? t('quarantineNothing') : t('evidenceNumber', { id: EvidenceId })

function stateOf({ Stage, Approvals, UntilUtc, Held }: Quarantined, t: Words): { state: State; words: string } {
  if (Held !== null) return { state: 'sealed', words: t('quarantineHeld') }
  if (Stage === 'Kept') return { state: 'ok', words: t('quarantineKept') }
  if (Stage === 'Waiting' || UntilUtc === null)
    return { state: 'waiting', words: t('ofTwo', { count: Approvals.length }) }
  return Date.parse(UntilUtc) <= Date.now()
    ? { state: 'working', words: t('goesSoon') }
    : { state: 'waiting', words: t('coolingLeft', { time: leftWords(UntilUtc, Date.now(), t) }) }
}

const columnsOf = (t: Words, tell: (text: string) => string, format: Format): readonly Column<Quarantined>[] => [
  {
    id: 'what',
    label: t('quarantineWhy'),
    least: 16,
    cell: (one) => (
      <TwoLines
        strong
        first={<bdi>{visible(tell(one.Reason))}</bdi>}
        second={`${belongsTo(one, t)} · ${sizeOf(one, format)}`}
      />
    ),
    text: (one) => `${visible(tell(one.Reason))}, ${belongsTo(one, t)}, ${sizeOf(one, format)}`,
  },
  {
    id: 'since',
    label: t('quarantineSince'),
    width: 7.5,
    priority: 2,
    cell: ({ SetAsideUtc }) => format.day(SetAsideUtc),
    text: ({ SetAsideUtc }) => format.instant(SetAsideUtc),
  },
  {
    id: 'approvals',
    label: t('approvals'),
    width: 12.5,
    cell: (one) => <StateMark state={stateOf(one, t).state}>{stateOf(one, t).words}</StateMark>,
    text: (one) => stateOf(one, t).words,
  },
]

function Panel({ one, onDone }: { readonly one: Quarantined; readonly onDone: () => void }) {
  const tell = useQuarantineReasons()
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const { Approvals, Held, Stage, WhyNot } = one
  const waits = Stage !== 'CoolingOff'
  return (
    <SidePane label={t('quarantineOne', { id: one.QuarantineId })}>
      <header className={styles['panelHead']}>
        <h2 className={styles['panelTitle']}>{t('quarantineOne', { id: one.QuarantineId })}</h2>
      </header>
      <div className={styles['scroll']} tabIndex={-1}>
        <section className={styles['section']}>
          <FactList className={styles['facts']}>
            <dt>{t('quarantineWhy')}</dt>
            <dd>{visible(tell(one.Reason))}</dd>
            <dt>{t('quarantineOf')}</dt>
            <dd>{belongsTo(one, t)}</dd>
            <dt>{t('size')}</dt>
            <dd>{sizeOf(one, format)}</dd>
            <dt>{t('quarantineSince')}</dt>
            <dd>{format.instant(one.SetAsideUtc, { precision: 'second', zone: true })}</dd>
            {Approvals.map(({ By, Reason, TimeUtc }) => (
              <ApprovedBy key={TimeUtc} who={nameOf(By, t)} when={format.instant(TimeUtc)} why={visible(Reason)} />
            ))}
          </FactList>
        </section>
        {one.Sha256 !== null && (
          <section className={styles['section']}>
            <h3 className={styles['sectionTitle']}>{t('quarantineHash')}</h3>
            <Hash value={one.Sha256} of={t('quarantineHash')} />
          </section>
        )}
        <section className={styles['section']}>
          <h3 className={styles['sectionTitle']}>{t('keptForEver')}</h3>
          <p className={styles['second']}>{t('quarantineForEver')}</p>
        </section>
        {Held === null && waits && <Provenance approvers={one.Approvers} />}
        {Held !== null && <Note title={t('quarantineHeld')}>{t('quarantineHeldBody')}</Note>}
        {Held === null && waits && WhyNot !== null && WhyNot !== 'NotWaiting' && (
          <Note title={t('mayNotTitle')}>{t(WHY_NOT[WhyNot])}</Note>
        )}
      </div>
      <Acts one={one} may={Held === null && waits && WhyNot === null} onDone={onDone} />
    </SidePane>
  )
}

function ApprovedBy({ who, when, why }: { readonly who: string; readonly when: string; readonly why: string }) {
  const { t } = useTranslation('disposition')
  return (
    <>
      <dt>{t('approvedBy')}</dt>
      <dd>
        <bdi>{who}</bdi>, {when}
        <small>{why}</small>
      </dd>
    </>
  )
}

interface ActsProps {
  readonly one: Quarantined
  readonly may: boolean
  readonly onDone: () => void
}

/** Absent where there is nothing to do: neither approved by anybody nor to be approved by this person. */
function Acts({ one: { QuarantineId, Approvals, Stage }, may, onDone }: ActsProps) {
  const { t } = useTranslation('disposition')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const [reason, setReason, forgetReason] = useTextDraft(`quarantine-${QuarantineId}`)
  const wrong = useTextProblem(isReason, reason.trim(), t('reasonMissing'))
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState<'approve' | 'keep' | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const approved = Stage !== 'Kept'
  if (!may && !approved) return null
  const run = (act: 'approve' | 'keep'): void => {
    setTried(true)
    if (busy !== null || wrong !== undefined) return
    setBusy(act)
    setError(null)
    call(act === 'approve' ? contract.approveQuarantine : contract.keepQuarantined, {
      params: { tenantName: tenant },
      body: { Items: [QuarantineId], Reason: reason.trim() },
    })
      .then(
        ([done]) => {
          forgetReason()
          const until = done?.UntilUtc ?? null
          toasts.show({
            text:
              act === 'keep'
                ? t('quarantineStays')
                : until === null
                  ? t('approvedFirst')
                  : t('approvedSecond', { day: format.day(until) }),
          })
          refresh()
          onDone()
        },
        (failure: unknown) => setError(asError(failure)),
      )
      .finally(() => setBusy(null))
  }
  return (
    <>
      <div className={styles['decide']}>
        <TextArea
          label={t('quarantineReason')}
          rows={3}
          maxLength={LONGEST_REASON}
          required
          value={reason}
          onChange={setReason}
          error={tried ? wrong : undefined}
        />
        {error !== null && <Problem error={error} title={t('quarantineFailed')} />}
      </div>
      <footer className={styles['foot']}>
        {approved && (
          <Button busy={busy === 'keep'} onPress={() => run('keep')}>
            {t('quarantineKeep')}
          </Button>
        )}
        {may && (
          <Button kind="danger" busy={busy === 'approve'} onPress={() => run('approve')}>
            {t(Approvals.length === 1 ? 'approveSecond' : 'approveFirst')}
          </Button>
        )}
      </footer>
    </>
  )
}
