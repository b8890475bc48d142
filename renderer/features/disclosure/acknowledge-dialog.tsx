import { useState } from 'react'
import { z } from 'zod'
import * as contract from '../../../shared/disclosure/contract.ts'
import { ACKNOWLEDGED_BY, type AcknowledgedHow } from '../../../shared/disclosure/kinds.ts'
import { call } from '../../client/api.ts'
import { type Summary, useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { draftKept, keepDraft } from '../../client/drafts.ts'
import { useSession } from '../../client/session.tsx'
import { type MessageKey, useTranslation } from '../../client/translate.ts'
import { chooseFiles } from '../../client/uploads/choose.ts'
import { type Upload, uploads } from '../../client/uploads/uploads.ts'
import { useUploads } from '../../client/uploads/use-uploads.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { DateTimeField } from '../../ui/date-time/date-time.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { RadioGroup } from '../../ui/field/radio-group.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Note } from '../../ui/note/note.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import { EvidencePick } from './evidence-pick.tsx'
import styles from './form.module.css'
import { useEvidenceOfCase } from './queries.ts'
import { recipientWords } from './labels.ts'

const WORDS = {
  'signature-scan': ['scan', 'scanHow'],
  'signed-file': ['file', 'fileHow'],
  'in-person': ['person', 'personHow'],
} as const satisfies Readonly<Record<AcknowledgedHow, readonly [MessageKey<'disclosure'>, MessageKey<'disclosure'>]>>

const Typed = z.object({
  how: z.enum(ACKNOWLEDGED_BY),
  by: z.string(),
  at: z.string().nullable(),
  first: z.string(),
  second: z.string(),
  /** The signed copy, where it is in the case already. */
  evidenceId: z.string().nullable(),
  /** The upload of the signed copy. */
  uploadId: z.string().nullable(),
})
type Typed = z.output<typeof Typed>

/** How the recipient acknowledged what they got: by a signed copy, which becomes evidence of the case, or before two people. */
export function AcknowledgeDialog({ one, onClose }: { readonly one: Summary; readonly onClose: () => void }) {
  const { t } = useTranslation('disclosure')
  const { zone } = useFormat()
  const { tenant } = useSession()
  const changed = useDisclosuresChanged()
  const { typed, change, forget } = useTyped(one)
  const upload = useUploads().find(({ id }) => id === typed.uploadId)
  const evidenceId = upload?.state === 'done' ? upload.evidenceId : typed.evidenceId
  const inPerson = typed.how === 'in-person'
  const acknowledge = async (): Promise<void> => {
    await call(contract.acknowledgeDisclosure, {
      params: { tenantId: tenant, caseId: one.CaseId, no: String(one.No) },
      body: {
        By: typed.by.trim(),
        How: typed.how,
        ...(typed.at === null ? {} : { TimeUtc: typed.at }),
        ...(inPerson ? { Witnesses: [typed.first.trim(), typed.second.trim()] } : { EvidenceId: evidenceId }),
      },
    })
    forget()
    toasts.show({ text: t('acknowledged', { no: one.No }) })
  }
  const missing = missingIn(typed, evidenceId)
  return (
    <ActDialog
      title={t('acknowledgeTitle', { no: one.No })}
      lead={t('acknowledgeLead', { name: recipientWords(one.Recipient, t) })}
      act={t('acknowledge')}
      failed={t('notAcknowledged')}
      why={missing === null ? undefined : t(missing)}
      problem={(error) => <Refusal error={error} title={t('notAcknowledged')} />}
      onAct={() => acknowledge().finally(changed)}
      onClose={onClose}
    >
      <div className={styles['form']}>
        <RadioGroup
          label={t('how')}
          value={typed.how}
          onChange={(how) => change({ how })}
          options={ACKNOWLEDGED_BY.map((id) => ({ id, label: t(WORDS[id][0]), description: t(WORDS[id][1]) }))}
        />
        <div className={styles['two']}>
          <TextField label={t('by')} value={typed.by} onChange={(by) => change({ by })} maxLength={256} required />
          <DateTimeField
            label={t('at')}
            description={t('whenHow')}
            zone={zone}
            precision="minute"
            value={typed.at}
            onChange={(at) => change({ at })}
          />
          {inPerson && (
            <>
              <TextField
                label={t('first')}
                value={typed.first}
                onChange={(first) => change({ first })}
                maxLength={256}
                required
              />
              <TextField
                label={t('second')}
                value={typed.second}
                onChange={(second) => change({ second })}
                maxLength={256}
                required
              />
            </>
          )}
        </div>
        {!inPerson && <SignedCopy caseId={one.CaseId} typed={typed} change={change} upload={upload} />}
      </div>
    </ActDialog>
  )
}

function missingIn({ by, how, first, second }: Typed, evidenceId: string | null): MessageKey<'disclosure'> | null {
  if (by.trim() === '') return 'missBy'
  if (how === 'in-person') return first.trim() === '' || second.trim() === '' ? 'missWitness' : null
  return evidenceId === null ? 'missScan' : null
}

/** As it was left, since a scan takes a while and people are called away. */
function useTyped(one: Summary) {
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const key = `disclosure-${one.CaseId}-acknowledge-${one.No}`
  const [typed, setTyped] = useState<Typed>(() => {
    const kept = Typed.safeParse(draftKept(key, owner))
    return kept.success
      ? kept.data
      : {
          how: 'signature-scan',
          by: one.Recipient.Name,
          at: null,
          first: '',
          second: '',
          evidenceId: null,
          uploadId: null,
        }
  })
  const change = (what: Partial<Typed>): void =>
    setTyped((now) => {
      const next = { ...now, ...what }
      keepDraft(key, owner, next)
      return next
    })
  return { typed, change, forget: () => keepDraft(key, owner, undefined) }
}

interface CopyProps {
  readonly caseId: string
  readonly typed: Typed
  readonly change: (what: Partial<Typed>) => void
  readonly upload: Upload | undefined
}

/** A file that is sent here and becomes evidence of the case, or an item that is in it. */
function SignedCopy({ caseId, typed, change, upload }: CopyProps) {
  const { t } = useTranslation('disclosure')
  const { data = [] } = useEvidenceOfCase(caseId)
  const choose = async (): Promise<void> => {
    const [file] = await chooseFiles(false)
    if (file === undefined) return
    const before = new Set(uploads.list().map(({ id }) => id))
    await uploads.add([file], caseId)
    const added = uploads.list().find(({ id }) => !before.has(id))
    if (added !== undefined) change({ uploadId: added.id, evidenceId: null })
  }
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>{t('signedCopy')}</legend>
      <p className={styles['second']}>{t('signedCopyHow')}</p>
      <div>
        <Button icon="upload" onPress={() => void choose()}>
          {t('upload')}
        </Button>
      </div>
      {upload !== undefined && <Sent upload={upload} />}
      <EvidencePick
        // A file that is sent takes the place of what was chosen.
        key={typed.uploadId}
        label={t('orInCase')}
        evidence={data}
        value={typed.evidenceId}
        onChange={(evidenceId) => change({ evidenceId, ...(evidenceId === null ? {} : { uploadId: null }) })}
      />
    </fieldset>
  )
}

function Sent({ upload }: { readonly upload: Upload }) {
  const { t } = useTranslation('disclosure')
  const name = visible(upload.name)
  if (upload.state === 'done') return <Note state="ok" title={t('uploaded', { name })} />
  if (['refused', 'stopped', 'needsFile'].includes(upload.state))
    return (
      <Note state="attention" title={t('uploadFailed', { name })}>
        {t('uploadFailedHow')}
      </Note>
    )
  return (
    <div role="status">
      <p className={styles['second']}>{t('uploading', { name })}</p>
      <ProgressBar
        label={t('uploading', { name })}
        value={upload.size === 0 ? null : (upload.sent / upload.size) * 100}
        state="working"
      />
    </div>
  )
}
