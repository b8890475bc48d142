import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import * as contract from '../../../../../shared/evidence/captions.contract.ts'
import * as documents from '../../../../../shared/evidence/contract.ts'
import { type CaptionProblem, MOST_CAPTION_BYTES, readCaptions } from '../../../../../shared/evidence/captions.ts'
import { call, Fault, newKey } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { putWhole } from '../../../../client/uploads/blocks.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { Dialog } from '../../../../ui/dialog/dialog.tsx'
import { TextField } from '../../../../ui/field/field.tsx'
import { Note } from '../../../../ui/note/note.tsx'
import { toasts } from '../../../../ui/toast/toast.tsx'
import { useRefresh } from '../queries.ts'
import { useShownPlayer } from '../player/shown-player.ts'
import { Problem } from '../stage/problem.tsx'
import { decode, visible } from '../text/visible.ts'
import styles from './captions.module.css'

interface AttachProps {
  readonly evidenceId: string
  /** Of the recording. */
  readonly resourceId: string
  readonly onClose: () => void
  readonly onAttached: (captionsId: string) => void
}

/** A file of captions, looked at here before it is sent: what cannot be read is said by its lines, and nothing is uploaded. */
export function AttachDialog({ evidenceId, resourceId, onClose, onAttached }: AttachProps) {
  const { t, language: spoken } = useTranslation('evidencePage')
  const { t: ui } = useTranslation('ui')
  const { tenant } = useSession()
  const refresh = useRefresh(evidenceId)
  const player = useShownPlayer()
  const picker = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [language, setLanguage] = useState<string>(spoken)
  const [label, setLabel] = useState('')
  // Nothing plays under a question.
  useEffect(() => player?.pause(), [player])
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (chosen: File) => {
      const params = { tenantName: tenant, evidenceId }
      const open = await call(documents.createResource, {
        params,
        body: { Name: chosen.name, MimeType: 'text/plain', LengthInBytes: chosen.size },
        idempotencyKey: newKey(),
      })
      await putWhole(open.UploadUri, chosen)
      await call(documents.completeResource, {
        params: { ...params, resourceId: open.ResourceId },
        body: { LengthInBytes: chosen.size },
      })
      return call(contract.attachCaptions, {
        params: { ...params, resourceId },
        body: {
          FileResourceId: open.ResourceId,
          Language: language.trim(),
          Label: label.trim() || null,
        },
        idempotencyKey: newKey(),
      })
    },
    onSuccess: ({ ResourceId }) => {
      toasts.show({ text: t('captionsAttached') })
      refresh()
      onAttached(ResourceId)
      onClose()
    },
  })
  const choose = (chosen: File | undefined): void => {
    if (chosen === undefined) return
    setFile(chosen)
    setFound(null)
    void look(chosen).then(setFound)
  }
  const fits = contract.Language.safeParse(language.trim()).success
  const labelFits = contract.AttachCaptionsModel.shape.Label.safeParse(label.trim() || null).success
  const ready = file !== null && found?.count !== undefined && fits && labelFits
  return (
    <Dialog
      title={t('captionsAttach')}
      lead={t('captionsLead')}
      onClose={onClose}
      keep={isPending}
      size="small"
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('bookmarkCancel')}
          </Button>
          <Button
            kind="main"
            busy={isPending}
            why={ready ? undefined : t('captionsNotReady')}
            onPress={() => file !== null && mutate(file)}
          >
            {t('captionsAttachDo')}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        <div className={styles['file']}>
          <Button icon="file" onPress={() => picker.current?.click()}>
            {t('captionsChoose')}
          </Button>
          <span className="muted">{file === null ? t('captionsNoFile') : visible(file.name)}</span>
          <input
            ref={picker}
            type="file"
            accept=".vtt,.srt,text/vtt,application/x-subrip"
            hidden
            data-captions-file
            onChange={(event) => choose(event.target.files?.[0])}
          />
        </div>
        {found !== null && <Looked found={found} />}
        <TextField
          label={t('captionsLanguage')}
          description={t('captionsLanguageWhat')}
          value={language}
          onChange={setLanguage}
          maxLength={contract.LONGEST_LANGUAGE}
          spellCheck={false}
          error={fits ? undefined : t('captionsLanguageWrong')}
        />
        <TextField
          label={t('captionsLabel')}
          value={label}
          onChange={setLabel}
          maxLength={contract.LONGEST_LABEL}
          error={labelFits ? undefined : ui('notStorable')}
        />
        {error !== null && <Refused error={error} />}
      </div>
    </Dialog>
  )
}

interface Found {
  readonly count?: number
  readonly problems: readonly CaptionProblem[]
  readonly tooLong?: true
}

async function look(file: File): Promise<Found> {
  if (file.size > MOST_CAPTION_BYTES) return { problems: [], tooLong: true }
  const read = readCaptions(decode(new Uint8Array(await file.arrayBuffer()), false).text)
  return 'problems' in read ? { problems: read.problems } : { problems: [], count: read.cues.length }
}

function Looked({ found: { count, problems, tooLong } }: { readonly found: Found }) {
  const { t } = useTranslation('evidencePage')
  if (count !== undefined) return <p role="status">{t('captionsFound', { count })}</p>
  return (
    <Note state="attention" title={t(tooLong ? 'captionsTooLong' : 'captionsNotRead')}>
      {t('captionsNotReadDo')}
      <ul className={styles['problems']}>
        {problems.map(({ line, message }) => (
          <li key={line}>
            {t('captionsLine', { line })}: {message}
          </li>
        ))}
      </ul>
    </Note>
  )
}

/** The station reads more strictly than a browser: what it found is told line by line. */
function Refused({ error }: { readonly error: Error }) {
  const { t } = useTranslation('evidencePage')
  if (!(error instanceof Fault) || error.code !== 'CaptionsNotReadable')
    return <Problem error={error} title={t('captionsNotAttached')} />
  return (
    <Note state="attention" title={t('captionsNotAttached')}>
      {error.message}
      <ul className={styles['problems']}>
        {error.details.map(({ Path, Message }) => (
          <li key={Path}>
            {Path}: {Message}
          </li>
        ))}
      </ul>
    </Note>
  )
}
