import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as contract from '../../../shared/disclosure/contract.ts'
import { LONGEST_REASON } from '../../../shared/disclosure/kinds.ts'
import { call } from '../../client/api.ts'
import { type Disclosures, type Proposal, useDisclosuresChanged } from '../../client/disclosure/disclosure.ts'
import { Refusal } from '../../client/disclosure/refusal.tsx'
import { draftKept, keepDraft } from '../../client/drafts.ts'
import type { Package } from '../../client/packages/packages.ts'
import { useRequestKey } from '../../client/request-key.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button } from '../../ui/button/button.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { Note } from '../../ui/note/note.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Skeleton } from '../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import {
  bodyOf,
  type Form,
  formOf,
  keptForm,
  missingIn,
  type Mode,
  type PartProps,
  proposalOf,
  replacedNo,
  roleIn,
} from './form.ts'
import { GivenPart } from './given-part.tsx'
import styles from './form.module.css'
import { type EvidenceOfCase, useEvidenceOfCase, useMadePackages } from './queries.ts'
import { HowPart, RecipientPart } from './recipient-part.tsx'
import { WithheldPart } from './withheld-part.tsx'
import { groundWords, recipientWords } from './labels.ts'

interface DiscloseProps {
  readonly caseId: string
  readonly mode: Mode
  /** What the case has now. */
  readonly known: Disclosures
  readonly onClose: () => void
}

function useModeWords(
  mode: Mode,
  isProposal: boolean,
): { readonly title: string; readonly lead: string; readonly act: string } {
  const { t } = useTranslation('disclosure')
  const act = isProposal ? t('propose') : mode.kind === 'supersede' ? t('saveSupersede') : t('saveRecord')
  switch (mode.kind) {
    case 'new':
      return { title: t('newTitle'), lead: t('newLead'), act }
    case 'answer':
      return {
        title: t('answerTitle'),
        lead: t('answerLead', { name: recipientWords(mode.request.Recipient, t) }),
        act,
      }
    case 'supplement':
      return {
        title: t('supplementTitle', { no: mode.last.No }),
        lead: t('supplementLead', { name: recipientWords(mode.last.Recipient, t) }),
        act,
      }
    case 'supersede':
      return { title: t('supersedeTitle', { no: mode.wrong.No }), lead: t('supersedeLead'), act }
    case 'again':
      return { title: t('againTitle', { no: mode.proposal.No }), lead: t('againLead'), act }
  }
}

/** What the case has to give; null until it is known. */
type CaseNow = { readonly evidence: readonly EvidenceOfCase[]; readonly packages: readonly Package[] } | null

/** Records what is given to somebody. */
export function DiscloseDialog({ caseId, mode, known, onClose }: DiscloseProps) {
  const { t } = useTranslation('disclosure')
  const evidence = useEvidenceOfCase(caseId)
  const packages = useMadePackages(caseId)
  const now: CaseNow =
    evidence.data === undefined || packages.data === undefined
      ? null
      : { evidence: evidence.data, packages: packages.data }
  const { form, change, forget, startOver, isKept } = useForm(caseId, mode, known, now)
  const isProposal = form !== null && known.ApprovalFor.includes(roleIn(form, mode))
  const { title, lead, act } = useModeWords(mode, isProposal)
  const record = useRecord(caseId, mode, isProposal)
  const missing = form === null ? null : missingIn(form, mode, known.Restricted.length)
  const unread = evidence.error ?? packages.error
  const save = async (): Promise<void> => {
    if (form === null) return
    const no = await record(form)
    forget()
    toasts.show({ text: isProposal ? t('proposed') : t('recorded', { no }) })
  }
  return (
    <ActDialog
      title={title}
      lead={lead}
      size="wide"
      act={act}
      failed={t('notRecorded')}
      why={form === null ? t('notReadYet') : missing === null ? undefined : t(missing)}
      problem={(error) => <Refusal error={error} title={t('notRecorded')} />}
      onAct={save}
      onClose={onClose}
    >
      {form !== null && now !== null ? (
        <Parts {...{ form, change, mode, known, now, isProposal }}>
          {isKept && (
            <Button size="small" kind="quiet" onPress={startOver}>
              {t('startOver')}
            </Button>
          )}
        </Parts>
      ) : unread === null ? (
        <Skeleton lines={8} />
      ) : (
        <Problem error={unread} onRetry={() => void Promise.all([evidence.refetch(), packages.refetch()])} />
      )}
    </ActDialog>
  )
}

interface PartsProps extends PartProps, Pick<DiscloseProps, 'mode' | 'known'> {
  readonly now: NonNullable<CaseNow>
  /** A second person approves it first. */
  readonly isProposal: boolean
  readonly children: ReactNode
}

function Parts({ form, change, mode, known, now, isProposal, children }: PartsProps) {
  const { t } = useTranslation('disclosure')
  const of = { form, change, evidence: now.evidence, restricted: known.Restricted }
  return (
    <div className={styles['form']}>
      {replacedNo(mode) !== null && (
        <TextArea
          label={t('whyReplace')}
          value={form.reason}
          onChange={(reason) => change({ reason })}
          rows={2}
          maxLength={LONGEST_REASON}
          required
          autoFocus
        />
      )}
      {isProposal && <Note title={t('roleNeedsApproval')}>{t('needsSecond')}</Note>}
      <RecipientPart form={form} change={change} mode={mode} records={known.Items} approvalFor={known.ApprovalFor} />
      <GivenPart {...of} packages={now.packages} />
      <WithheldPart {...of} />
      <HowPart form={form} change={change} isProposal={isProposal} />
      <p className={styles['second']}>
        {t('kept')} {children}
      </p>
    </div>
  )
}

function draftOf(mode: Mode): string {
  switch (mode.kind) {
    case 'new':
      return 'new'
    case 'answer':
      return `answer-${mode.request.No}`
    case 'supplement':
      return `supplement-${mode.last.No}`
    case 'supersede':
      return `supersede-${mode.wrong.No}`
    case 'again':
      return `again-${mode.proposal.No}`
  }
}

/** The form as it was left, or as it begins; null until it is known how it does. */
function useForm(caseId: string, mode: Mode, known: Disclosures, now: CaseNow) {
  const { t } = useTranslation('disclosure')
  const { session } = useSession()
  const owner = session.User?.PrincipalId ?? ''
  const of = draftOf(mode)
  const key = `disclosure-${caseId}-${of}`
  const [typed, setTyped] = useState(() => keptForm(draftKept(key, owner)))
  const barred = new Set(known.Restricted.map(({ EvidenceId }) => EvidenceId))
  const form =
    typed ??
    (now === null
      ? null
      : formOf(mode, {
          hasPackage: now.packages.length > 0,
          restricted: barred,
          groundOf: (line) => groundWords(line, t),
          givable: new Set(now.evidence.flatMap(({ id, mayDownload }) => (mayDownload && !barred.has(id) ? [id] : []))),
        }))
  const change = (what: Partial<Form>): void => {
    if (form === null) return
    const next = { ...form, ...what }
    setTyped(next)
    keepDraft(key, owner, next)
  }
  const forget = (): void => keepDraft(key, owner, undefined)
  const startOver = (): void => {
    forget()
    setTyped(null)
  }
  return { form, change, forget, startOver, isKept: typed !== null }
}

/** The proposal that another one takes the place of. Where somebody decided it meanwhile, it has ended by itself. */
async function endEarlier(
  params: { readonly tenantId: string; readonly caseId: string },
  { No, State }: Proposal,
): Promise<void> {
  if (State !== 'waiting' && State !== 'approved') return
  await call(contract.withdrawProposal, { params: { ...params, no: String(No) } }).catch(toasts.problem)
}

/** The same words sent again are the same record. */
function useRecord(caseId: string, mode: Mode, isProposal: boolean): (form: Form) => Promise<number> {
  const { tenant } = useSession()
  const keyOf = useRequestKey()
  const changed = useDisclosuresChanged()
  const queries = useQueryClient()
  return (form) => {
    const body = bodyOf(form, mode)
    const params = { tenantId: tenant, caseId }
    const proposal = proposalOf(form, mode)
    const replaced = replacedNo(mode)
    const sent: Promise<{ readonly No: number }> = isProposal
      ? call(contract.proposeDisclosure, { params, body: proposal, idempotencyKey: keyOf({ proposal }) })
      : replaced !== null
        ? call(contract.supersedeDisclosure, {
            params: { ...params, no: String(replaced) },
            body: { ...body, Reason: form.reason.trim() },
            idempotencyKey: keyOf({ of: replaced, body, reason: form.reason }),
          })
        : call(contract.createDisclosure, { params, body, idempotencyKey: keyOf(body) })
    return sent
      .then(async ({ No }) => {
        if (mode.kind === 'again') await endEarlier(params, mode.proposal)
        return No
      })
      .finally(() => {
        changed()
        void queries.invalidateQueries({ queryKey: ['evidence-list'] })
      })
  }
}
