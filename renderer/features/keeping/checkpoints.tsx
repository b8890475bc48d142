import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../shared/contract/keeping.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { TextArea, TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { copyText } from '../../ui/hash/copy.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { Nothing } from './alarms.tsx'
import { type CheckpointTarget, type Keeping, useRefreshed } from './data.ts'
import styles from './keeping.module.css'

const STATES = {
  waiting: ['waiting', 'stateWaiting'],
  copied: ['ok', 'stateCopied'],
  behind: ['waiting', 'stateBehind'],
  failing: ['attention', 'stateFailing'],
  refused: ['danger', 'stateRefused'],
} as const satisfies Readonly<Record<CheckpointTarget['State'], readonly [State, string]>>

export function Checkpoints({ keeping }: { readonly keeping: Keeping }) {
  const { t } = useTranslation('keeping')
  const format = useFormat()
  const [adding, setAdding] = useState(false)
  const { Targets, Received, VerifierKey, Origin } = keeping.Checkpoints
  return (
    <section className={styles['section']} aria-labelledby="keeping-checkpoints">
      <div className={styles['sectionHead']}>
        <h2 id="keeping-checkpoints" className={styles['heading']}>
          {t('checkpoints')}
        </h2>
        <Button size="small" icon="plus" onPress={() => setAdding(true)}>
          {t('checkpointsAdd')}
        </Button>
      </div>
      <p className={styles['words']}>{t('checkpointsLead')}</p>
      {Targets.length === 0 ? (
        <Nothing title={t('checkpointsNone')}>{t('checkpointsNoneBody')}</Nothing>
      ) : (
        <ul className={styles['rows']}>
          {Targets.map((target) => (
            <Target key={target.TargetId} target={target} />
          ))}
        </ul>
      )}
      <div className={styles['key']}>
        <span className={styles['second']}>{t('verifierKey')}</span>
        <span className={styles['origin']} title={VerifierKey}>
          {Origin}
        </span>
        <IconButton label={t('verifierCopy')} icon="copy" size="small" onPress={() => void copyText(VerifierKey)} />
      </div>
      {Received.length > 0 && (
        <>
          <h3 className={styles['small']}>{t('received')}</h3>
          <ul className={styles['rows']}>
            {Received.map((one) => (
              <li key={one.Origin} className={styles['item']}>
                <bdi className={styles['address']}>{one.Origin}</bdi>
                <span className={styles['second']}>
                  {t('receivedUpTo', { count: one.Size, when: format.timeOrDay(one.ReceivedTimeUtc) })}
                  {one.RefusedTimeUtc !== null &&
                    ` · ${t('receivedRefused', { when: format.timeOrDay(one.RefusedTimeUtc) })}`}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {adding && <AddTarget onClose={() => setAdding(false)} />}
    </section>
  )
}

function Target({ target }: { readonly target: CheckpointTarget }) {
  const { t } = useTranslation('keeping')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [removing, setRemoving] = useState(false)
  const { busy, error, run } = useAct()
  const [state, word] = STATES[target.State]
  const params = { tenantId: tenant, targetId: target.TargetId }
  return (
    <li className={styles['item']}>
      <div className={styles['itemHead']}>
        <StateMark state={state}>{t(word)}</StateMark>
        <bdi className={styles['address']} title={target.Address}>
          {target.Address}
        </bdi>
      </div>
      <span className={styles['second']}>
        {t(target.Kind === 'folder' ? 'targetFolder' : 'targetStation')}
        {' · '}
        {target.CopiedTimeUtc === null
          ? t('targetNothing')
          : t('targetUpTo', { count: target.Size, when: format.timeOrDay(target.CopiedTimeUtc) })}
      </span>
      {target.Problem !== null && (
        <p className={styles['message']}>
          {target.Problem}{' '}
          {target.NextTimeUtc !== null && t('targetNext', { when: format.timeOfDay(target.NextTimeUtc) })}
        </p>
      )}
      <div className={styles['acts']}>
        <Button
          size="small"
          icon="copy"
          busy={busy}
          aria-describedby={`target-${target.TargetId}`}
          onPress={() => run(() => refreshed(call(contract.copyCheckpoints, { params })))}
        >
          {t('copyNow')}
        </Button>
        <Button
          size="small"
          kind="quiet"
          aria-describedby={`target-${target.TargetId}`}
          onPress={() => setRemoving(true)}
        >
          {t('remove')}
        </Button>
        <span id={`target-${target.TargetId}`} hidden>
          {target.Address}
        </span>
      </div>
      {error !== null && target.Problem === null && <Problem error={error} title={t('copyFailed')} />}
      {removing && (
        <RemovePlace
          place={target.Address}
          onRemove={() => refreshed(call(contract.removeCheckpointTarget, { params }))}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  )
}

interface RemoveProps {
  readonly place: string
  readonly onRemove: () => Promise<unknown>
  readonly onClose: () => void
}

export function RemovePlace({ place, onRemove, onClose }: RemoveProps) {
  const { t } = useTranslation('keeping')
  return (
    <ActDialog
      title={t('removeTitle', { place })}
      lead={t('removeBody')}
      act={t('removeDo')}
      failed={t('removeFailed')}
      danger
      onAct={onRemove}
      onClose={onClose}
    />
  )
}

type Kind = 'folder' | 'station'

function AddTarget({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('keeping')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [kind, setKind] = useState<Kind>('folder')
  const [folder, setFolder] = useState('')
  const [file, setFile] = useState('')
  const [tried, setTried] = useState(false)
  const connection = parsed(file)
  const wrong = kind === 'folder' ? folder.trim() === '' : connection === null
  return (
    <ActDialog
      title={t('addCheckpointTitle')}
      lead={t('addCheckpointLead')}
      act={t('addDo')}
      failed={t('addFailed')}
      check={() => {
        setTried(true)
        return !wrong
      }}
      onAct={() =>
        refreshed(
          call(contract.addCheckpointTarget, {
            params: { tenantId: tenant },
            body: kind === 'folder' ? { Folder: folder.trim() } : { Connection: connection },
          }),
        )
      }
      onClose={onClose}
    >
      <Segments<Kind>
        label={t('placeKind')}
        segments={[
          { id: 'folder', label: t('targetFolder') },
          { id: 'station', label: t('targetStation') },
        ]}
        value={kind}
        onChange={setKind}
      />
      {kind === 'folder' ? (
        <TextField
          label={t('folder')}
          description={t('folderHelp')}
          value={folder}
          onChange={setFolder}
          spellCheck={false}
          autoComplete="off"
          maxLength={4096}
          required
          {...(tried && wrong ? { error: t('folderNeeded') } : {})}
        />
      ) : (
        <TextArea
          label={t('connection')}
          description={t('connectionHelp')}
          value={file}
          onChange={setFile}
          spellCheck={false}
          autoComplete="off"
          rows={6}
          required
          {...(tried && wrong ? { error: t('connectionBad') } : {})}
        />
      )}
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
