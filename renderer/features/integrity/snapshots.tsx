import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import { useAlarmReasons } from '../../client/alarm-reasons.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Spinner } from '../../ui/progress/progress.tsx'
import { Select } from '../../ui/select/select.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import { type BackupTarget, type Integrity, useRefreshed, type Words } from './queries.ts'
import styles from './integrity.module.css'
import { FolderField, Place, Places } from './places.tsx'
import { WarningNote } from './warnings.tsx'

export function Snapshots({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const { Targets, Doing } = integrity.Backups
  return (
    <Places
      title={t('snapshots')}
      lead={t('snapshotsLead')}
      add={t('snapshotsAdd')}
      none={
        <WarningNote integrity={integrity} warning="backup" title={t('snapshotsNone')}>
          {t('snapshotsNoneBody')}
        </WarningNote>
      }
      adding={(onClose) => <AddFolder onClose={onClose} />}
      places={Targets.map((target) => (
        <Target
          key={target.TargetId}
          target={target}
          doing={Doing !== null && Doing.Folder === target.Folder ? Doing : null}
          busy={Doing !== null}
        />
      ))}
    />
  )
}

interface TargetProps {
  readonly target: BackupTarget
  readonly doing: Integrity['Backups']['Doing']
  /** Here or elsewhere. */
  readonly busy: boolean
}

const STATES = {
  made: ['ok', 'snapshotMade'],
  failed: ['danger', 'snapshotFailed'],
} as const satisfies Readonly<Record<NonNullable<BackupTarget['Last']>['State'], readonly [State, string]>>

function Target({ target, doing, busy }: TargetProps) {
  const say = useAlarmReasons()
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const act = useAct()
  const { Last: last } = target
  const params = { tenantId: tenant, targetId: target.TargetId }
  const [state, word] = last === null ? (['waiting', 'snapshotWaiting'] as const) : STATES[last.State]
  const begin = { size: 'small', busy: act.busy || busy } as const
  return (
    <Place
      place={target.Folder}
      state={state}
      word={t(word)}
      onRemove={() => call(contract.removeBackupTarget, { params })}
      acts={(about) => (
        <>
          <Button
            {...begin}
            icon="disk"
            aria-describedby={about}
            onPress={() => act.run(() => refreshed(call(contract.makeBackup, { params })))}
          >
            {t('snapshotNow')}
          </Button>
          {last !== null && (
            <Button
              {...begin}
              icon="fixity"
              aria-describedby={about}
              onPress={() => act.run(() => refreshed(call(contract.drillBackup, { params })))}
            >
              {t('drillNow')}
            </Button>
          )}
        </>
      )}
      problem={act.error !== null && <Problem error={act.error} title={t('beginFailed')} />}
    >
      {doing !== null && (
        <Spinner>{`${t(doing.What === 'snapshot' ? 'making' : 'drilling')}${doing.Text === '' ? '' : ` · ${doing.Text}`}`}</Spinner>
      )}
      {last?.State === 'made' && (
        <span className={styles['second']}>
          {t('snapshotAt', {
            when: format.timeOrDay(last.StartedTimeUtc),
            count: last.Blobs,
            size: format.bytes(last.Bytes),
          })}
          {' · '}
          {t('snapshotNew', { size: format.bytes(last.NewBytes) })}
        </span>
      )}
      {last !== null && last.Problem !== null && <p className={styles['message']}>{say(last.Problem)}</p>}
      <Trial target={target} />
      <span className={styles['second']}>
        {everyWords(target.EveryHours, t)} · {t('snapshotNext', { when: format.timeOrDay(target.NextTimeUtc) })}
      </span>
    </Place>
  )
}

/** A backup is believed only for what was restored from it. */
function Trial({ target }: { readonly target: BackupTarget }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { LastDrill: drill, Last: last } = target
  if (drill === null) return last === null ? null : <span className={styles['second']}>{t('drillNone')}</span>
  const when = format.timeOrDay(drill.EndedTimeUtc)
  return drill.Result === 'restored' ? (
    <StateMark state="ok" small>
      {t('drillGood', { when, entries: format.count(drill.Entries), count: drill.Blobs })}
    </StateMark>
  ) : (
    <StateMark state="danger" small>
      {t('drillBad', { when, problem: drill.Problems[0] ?? '' })}
    </StateMark>
  )
}

const everyWords = (hours: number, t: Words): string =>
  hours === 24 ? t('everyDay') : hours === 168 ? t('everyWeek') : t('everyHours', { count: hours })

const CHOICES = ['1', '6', '24', '168'] as const

function AddFolder({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('integrity')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [folder, setFolder] = useState('')
  const [every, setEvery] = useState<(typeof CHOICES)[number]>('24')
  const [tried, setTried] = useState(false)
  const wrong = useTextProblem(contract.isFolder, folder.trim(), t('folderNeeded'))
  return (
    <ActDialog
      title={t('addBackupTitle')}
      lead={t('addBackupLead')}
      act={t('snapshotsAdd')}
      failed={t('addFailed')}
      check={() => {
        setTried(true)
        return wrong === undefined
      }}
      onAct={() =>
        refreshed(
          call(contract.addBackupTarget, {
            params: { tenantId: tenant },
            body: { Folder: folder.trim(), EveryHours: Number(every) },
          }),
        )
      }
      onClose={onClose}
    >
      <FolderField
        value={folder}
        onChange={setFolder}
        description={t('backupFolderHelp')}
        error={tried ? wrong : undefined}
        autoFocus
      />
      <Select
        label={t('every')}
        options={CHOICES.map((id) => ({ id, label: everyWords(Number(id), t) }))}
        value={every}
        onChange={setEvery}
      />
    </ActDialog>
  )
}
