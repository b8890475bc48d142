import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as contract from '../../../shared/forwarding/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { ConnectionReason } from '../../client/connection-reasons.tsx'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { EmptyState } from '../../ui/empty/empty.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Hash } from '../../ui/hash/hash.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { Halves, KeyFigure, KeyFigures, Overview, OverviewHead, Section } from '../../ui/layout/overview.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { type State, StatePill } from '../../ui/state/state.tsx'
import styles from './forwarding.module.css'
import { type Headquarters, useHeadquarters, useRefreshed } from './queries.ts'
import { RulesForm } from './rules-form.tsx'

const STATES = {
  none: null,
  paused: ['waiting', 'statePaused'],
  refused: ['danger', 'stateRefused'],
  away: ['waiting', 'stateAway'],
  window: ['waiting', 'stateWindow'],
  ready: ['ok', 'stateReady'],
} as const satisfies Readonly<Record<Headquarters['State'], readonly [State, string] | null>>

/** Where evidence is forwarded, by which rules, and whether it arrives. */
export function HeadquartersPage() {
  const { t } = useTranslation('forwarding')
  const { session } = useSession()
  const { headquarters, error, retry } = useHeadquarters()
  if (session.User?.Administrator !== true)
    return (
      <Overview title={t('title')}>
        <EmptyState title={t('barredTitle')}>{t('barredBody')}</EmptyState>
      </Overview>
    )
  return (
    <Overview title={t('title')}>
      <Head headquarters={headquarters} />
      {error !== null && <Problem error={error} onRetry={retry} />}
      {headquarters === null ? (
        error === null && <Skeleton lines={8} />
      ) : headquarters.State === 'none' ? (
        <Nothing />
      ) : (
        <Body headquarters={headquarters} />
      )}
    </Overview>
  )
}

function Head({ headquarters }: { readonly headquarters: Headquarters | null }) {
  const { t } = useTranslation('forwarding')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  const state = headquarters === null ? null : STATES[headquarters.State]
  return (
    <OverviewHead
      title={t('title')}
      standing={state !== null && <StatePill state={state[0]}>{t(state[1])}</StatePill>}
      acts={
        state !== null && (
          <Button
            icon="refresh"
            busy={busy}
            onPress={() => run(() => refreshed(call(contract.testHeadquarters, { params: { tenantName: tenant } })))}
          >
            {t('test')}
          </Button>
        )
      }
      lead={t('lead')}
    >
      {error !== null && <Problem error={error} title={t('testFailed')} />}
    </OverviewHead>
  )
}

/** What will stand here, and the one way to begin. */
function Nothing() {
  const { t } = useTranslation('forwarding')
  const [open, setOpen] = useState(false)
  return (
    <EmptyState
      title={t('noneTitle')}
      action={
        <Button kind="main" icon="plus" onPress={() => setOpen(true)}>
          {t('import')}
        </Button>
      }
    >
      {t('noneBody')}
      {open && <ImportDialog onClose={() => setOpen(false)} />}
    </EmptyState>
  )
}

function Body({ headquarters }: { readonly headquarters: Headquarters }) {
  const { t } = useTranslation('forwarding')
  const format = useFormat()
  const { State, NextTryUtc, Backlog } = headquarters
  const problem = headquarters.Problem === null ? null : <ConnectionReason text={headquarters.Problem} />
  return (
    <>
      <Figures headquarters={headquarters} />
      {State === 'refused' && (
        <Note state="danger" title={t('refusedTitle')}>
          {problem} {t('refusedBody')}
        </Note>
      )}
      {State === 'away' && (
        <Note state="waiting" title={t('awayTitle')}>
          {problem} {NextTryUtc !== null && t('awayNext', { when: format.timeOrDay(NextTryUtc) })}
        </Note>
      )}
      {(Backlog.Failed > 0 || Backlog.Questions > 0) && (
        <Note state="attention" title={t('decideTitle', { failed: Backlog.Failed, questions: Backlog.Questions })}>
          <Link to="/headquarters/backlog" search={{ show: 'failed' }} className={styles['link']}>
            {t('decideOpen')}
          </Link>
        </Note>
      )}
      <Halves
        left={<RulesForm key={JSON.stringify(headquarters.Rules)} headquarters={headquarters} />}
        right={
          <>
            <Connection headquarters={headquarters} />
            <Identity headquarters={headquarters} />
          </>
        }
      />
    </>
  )
}

/** Four figures, the backlog first. */
function Figures({ headquarters }: { readonly headquarters: Headquarters }) {
  const { t } = useTranslation('forwarding')
  const format = useFormat()
  const { Backlog, Cleared, LastContactUtc, Rules } = headquarters
  return (
    <KeyFigures>
      <KeyFigure label={t('waiting')} value={format.count(Backlog.Waiting)}>
        {Backlog.Waiting === 0 ? t('waitingNone') : format.bytes(Backlog.WaitingBytes)}
        {' · '}
        <Link to="/headquarters/backlog" className={styles['link']}>
          {t('backlogOpen')}
        </Link>
      </KeyFigure>
      <KeyFigure
        label={t('doneBy')}
        value={Backlog.DoneTimeUtc === null ? '–' : t('about', { when: format.timeOrDay(Backlog.DoneTimeUtc) })}
      >
        {Backlog.BytesPerSecond === null
          ? t('paceUnknown')
          : t('atPace', { pace: format.speed(Backlog.BytesPerSecond) })}
        {Backlog.NextWindowUtc !== null && ` · ${t('windowOpens', { when: format.timeOrDay(Backlog.NextWindowUtc) })}`}
      </KeyFigure>
      <KeyFigure
        label={t('lastContact')}
        value={LastContactUtc === null ? t('never') : format.timeOrDay(LastContactUtc)}
      >
        {t('doneCount', { count: Backlog.Done, shown: format.count(Backlog.Done) })}
      </KeyFigure>
      <KeyFigure label={t('cleared')} value={format.count(Cleared.Blobs)}>
        {Rules.ClearAfterDays === null ? t('clearedOff') : t('clearedBytes', { size: format.bytes(Cleared.Bytes) })}
      </KeyFigure>
    </KeyFigures>
  )
}

function Connection({ headquarters }: { readonly headquarters: Headquarters }) {
  const { t } = useTranslation('forwarding')
  const { tenant } = useSession()
  const format = useFormat()
  const refreshed = useRefreshed()
  const [doing, setDoing] = useState<'import' | 'remove' | null>(null)
  const { Address, ClientId, ImportedTimeUtc } = headquarters
  return (
    <Section title={t('connection')}>
      <FactList>
        <dt>{t('address')}</dt>
        <dd>
          <bdi>{Address}</bdi>
        </dd>
        <dt>{t('client')}</dt>
        <dd>{ClientId}</dd>
        <dt>{t('imported')}</dt>
        <dd>{ImportedTimeUtc === null ? '–' : format.instant(ImportedTimeUtc)}</dd>
      </FactList>
      <div className={styles['acts']}>
        <Button size="small" onPress={() => setDoing('import')}>
          {t('importAgain')}
        </Button>
        <Button size="small" kind="quiet" onPress={() => setDoing('remove')}>
          {t('remove')}
        </Button>
      </div>
      {doing === 'import' && <ImportDialog onClose={() => setDoing(null)} />}
      {doing === 'remove' && (
        <ActDialog
          title={t('removeTitle')}
          lead={t('removeBody')}
          act={t('removeDo')}
          failed={t('removeFailed')}
          danger
          onAct={() => refreshed(call(contract.removeHeadquarters, { params: { tenantName: tenant } }))}
          onClose={() => setDoing(null)}
        />
      )}
    </Section>
  )
}

/** What headquarters knows this station by. */
function Identity({ headquarters }: { readonly headquarters: Headquarters }) {
  const { t } = useTranslation('forwarding')
  const { Origin, Fingerprint } = headquarters.Station
  return (
    <Section title={t('identity')} lead={t('identityLead')}>
      <FactList>
        <dt>{t('identityId')}</dt>
        <dd className={styles['mono']}>
          <bdi>{Origin}</bdi>
        </dd>
        <dt>{t('identityKey')}</dt>
        <dd>
          <Hash value={Fingerprint} of={t('identityKey')} />
        </dd>
      </FactList>
    </Section>
  )
}

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('forwarding')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [file, setFile] = useState('')
  const [tried, setTried] = useState(false)
  const connection = parsed(file)
  return (
    <ActDialog
      title={t('importTitle')}
      lead={t('importLead')}
      act={t('importDo')}
      failed={t('importFailed')}
      check={() => {
        setTried(true)
        return connection !== null
      }}
      onAct={() =>
        refreshed(
          call(contract.importHeadquarters, { params: { tenantName: tenant }, body: { Connection: connection ?? {} } }),
        )
      }
      onClose={onClose}
    >
      <TextArea
        label={t('file')}
        description={t('fileHelp')}
        value={file}
        onChange={setFile}
        spellCheck={false}
        autoComplete="off"
        rows={6}
        required
        {...(tried && connection === null ? { error: t('fileBad') } : {})}
      />
    </ActDialog>
  )
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
