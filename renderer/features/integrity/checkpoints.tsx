import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/integrity/contract.ts'
import { useAlarmReasons } from '../../client/alarm-reasons.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTextProblem } from '../../client/use-text-problem.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { useAct } from '../../ui/act/use-act.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { copyText } from '../../ui/hash/copy.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { Segments } from '../../ui/segments/segments.tsx'
import type { State } from '../../ui/state/state.tsx'
import { type CheckpointTarget, type Integrity, useRefreshed } from './queries.ts'
import styles from './integrity.module.css'
import { FolderField, Place, Places } from './places.tsx'
import { WarningNote } from './warnings.tsx'

const STATES = {
  waiting: ['waiting', 'stateWaiting'],
  copied: ['ok', 'stateCopied'],
  behind: ['waiting', 'stateBehind'],
  failing: ['attention', 'stateFailing'],
  refused: ['danger', 'stateRefused'],
} as const satisfies Readonly<Record<CheckpointTarget['State'], readonly [State, string]>>

export function Checkpoints({ integrity }: { readonly integrity: Integrity }) {
  const { t } = useTranslation('integrity')
  const { Targets, VerifierKey, Origin } = integrity.Checkpoints
  return (
    <Places
      title={t('checkpoints')}
      lead={t('checkpointsLead')}
      add={t('checkpointsAdd')}
      none={
        <WarningNote integrity={integrity} warning="checkpoints" title={t('checkpointsNone')}>
          {t('checkpointsNoneBody')}
        </WarningNote>
      }
      adding={(onClose) => <AddTarget onClose={onClose} />}
      places={Targets.map((target) => <Target key={target.TargetId} target={target} />)}
    >
      <div className={styles['key']}>
        <span className={styles['second']}>{t('verifierKey')}</span>
        <span className={styles['origin']} title={VerifierKey}>
          {Origin}
        </span>
        <IconButton label={t('verifierCopy')} icon="copy" size="small" onPress={() => void copyText(VerifierKey)} />
      </div>
    </Places>
  )
}

function Target({ target }: { readonly target: CheckpointTarget }) {
  const { t } = useTranslation('integrity')
  const format = useFormat()
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  const say = useAlarmReasons()
  const [state, word] = STATES[target.State]
  const params = { tenantId: tenant, targetId: target.TargetId }
  return (
    <Place
      place={target.Address}
      state={state}
      word={t(word)}
      onRemove={() => call(contract.removeCheckpointTarget, { params })}
      acts={(about) => (
        <Button
          size="small"
          icon="copy"
          busy={busy}
          aria-describedby={about}
          onPress={() => run(() => refreshed(call(contract.copyCheckpoints, { params })))}
        >
          {t('copyNow')}
        </Button>
      )}
      problem={error !== null && target.Problem === null && <Problem error={error} title={t('copyFailed')} />}
    >
      <span className={styles['second']}>
        {t(target.Kind === 'folder' ? 'targetFolder' : 'targetStation')}
        {' · '}
        {target.CopiedTimeUtc === null
          ? t('targetNothing')
          : t('targetUpTo', { count: target.Size, when: format.timeOrDay(target.CopiedTimeUtc) })}
      </span>
      {target.Problem !== null && (
        <p className={styles['message']}>
          {say(target.Problem)}{' '}
          {target.NextTimeUtc !== null && t('targetNext', { when: format.timeOfDay(target.NextTimeUtc) })}
        </p>
      )}
    </Place>
  )
}

type Kind = 'folder' | 'station'

function AddTarget({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('integrity')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const [kind, setKind] = useState<Kind>('folder')
  const [folder, setFolder] = useState('')
  const [file, setFile] = useState('')
  const [tried, setTried] = useState(false)
  const connection = parsed(file)
  const folderProblem = useTextProblem(contract.isFolder, folder.trim(), t('folderNeeded'))
  const wrong = kind === 'folder' ? folderProblem : connection === null ? t('connectionBad') : undefined
  return (
    <ActDialog
      title={t('addCheckpointTitle')}
      lead={t('addCheckpointLead')}
      act={t('addDo')}
      failed={t('addFailed')}
      check={() => {
        setTried(true)
        return wrong === undefined
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
        <FolderField
          value={folder}
          onChange={setFolder}
          description={t('folderHelp')}
          error={tried ? wrong : undefined}
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
          error={tried ? wrong : undefined}
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
