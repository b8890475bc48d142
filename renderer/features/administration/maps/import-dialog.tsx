import { useEffect, useRef, useState } from 'react'
import { MAP_REFUSALS, type MapRefusal } from '../../../../shared/maps/contract.ts'
import { Fault } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTranslation } from '../../../client/translate.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Note } from '../../../ui/note/note.tsx'
import { ProgressBar } from '../../../ui/progress/progress.tsx'
import { Problem } from '../problem.tsx'
import { importFile, type ImportProgress } from './import-file.ts'
import styles from './maps.module.css'

interface Props {
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Chooses a PMTiles file and sends it; the station checks it before it is kept. */
export function ImportDialog({ onClose, onDone }: Props) {
  const { t } = useTranslation('administration')
  const { t: ui } = useTranslation('ui')
  const format = useFormat()
  const { tenant } = useSession()
  const picker = useRef<HTMLInputElement>(null)
  const abort = useRef<AbortController | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [progress, setProgress] = useState<ImportProgress | null>(null)
  const [error, setError] = useState<Error | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    setFile(chosen)
    setError(null)
    // A name that was typed stays.
    if (name === '' || name === nameOf(file)) setName(nameOf(chosen))
  }
  const send = async (given: File): Promise<void> => {
    const control = new AbortController()
    abort.current = control
    setError(null)
    try {
      await importFile(tenant, given, name.trim(), setProgress, control.signal)
      onDone()
    } catch (failed) {
      if (!control.signal.aborted) setError(failed as Error)
    }
    setProgress(null)
  }
  const busy = progress !== null
  const why = file === null ? t('mapNoFile') : name.trim() === '' ? t('mapNoName') : undefined
  return (
    <Dialog
      title={t('mapImport')}
      onClose={busy ? () => abort.current?.abort() : onClose}
      actions={
        <>
          <Button onPress={busy ? () => abort.current?.abort() : onClose}>{busy ? t('mapStop') : ui('cancel')}</Button>
          <Button kind="main" busy={busy} why={why} onPress={() => file !== null && void send(file)}>
            {t('mapImportDo')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <p>{t('mapImportHow')}</p>
        <div className={styles['file']}>
          <Button icon="file" onPress={() => picker.current?.click()}>
            {t('mapChoose')}
          </Button>
          <span className="muted">
            {file === null ? t('mapNoFile') : `${visible(file.name)} · ${format.bytes(file.size)}`}
          </span>
          <input
            ref={picker}
            type="file"
            accept=".pmtiles"
            hidden
            data-map-file
            onChange={(event) => choose(event.target.files?.[0])}
          />
        </div>
        <TextField
          label={t('mapName')}
          description={t('mapNameWhat')}
          value={name}
          onChange={setName}
          maxLength={128}
        />
        {progress !== null && file !== null && (
          <div className={styles['progress']}>
            <ProgressBar label={t('mapImport')} value={progress.checking ? null : (100 * progress.sent) / file.size} />
            <span role="status">
              {progress.checking
                ? t('mapChecking')
                : t('mapSent', { sent: format.bytes(progress.sent), all: format.bytes(file.size) })}
            </span>
          </div>
        )}
        {error !== null && <Refused error={error} />}
      </div>
    </Dialog>
  )
}

const nameOf = (file: File | null): string => file?.name.replace(/\.pmtiles$/i, '') ?? ''

function Refused({ error }: { readonly error: Error }) {
  const { t } = useTranslation('administration')
  const reason = error instanceof Fault && error.code === 'MapImportRefused' ? error.details[0]?.Path : undefined
  const known = MAP_REFUSALS.find((one): one is MapRefusal => one === reason)
  if (known === undefined) return <Problem error={error} title={t('mapFailed')} />
  return (
    <Note state="attention" title={t('mapRefusedTitle')}>
      {t(`mapRefused_${known}`)} {t('mapNothingKept')}
    </Note>
  )
}
