/** What the window asks of the station about disclosure, and what is said when that refuses (docs/decisions/0035). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { z } from 'zod'
import * as contract from '../../../shared/disclosure/contract.ts'
import { Fault } from '../../../shared/kernel/errors.ts'
import { call } from '../api.ts'
import { useSession } from '../session.tsx'
import { type MessageKey, translate } from '../translate.ts'

export type Disclosures = z.output<(typeof contract.listDisclosures)['responses'][200]>
export type Summary = Disclosures['Items'][number]
export type Due = Disclosures['Due'][number]
export type Disclosure = z.output<typeof contract.DisclosureModel>
export type DueOfStation = z.output<(typeof contract.listSupplementsDue)['responses'][200]>
export type Proposal = Disclosures['Proposals'][number]
export type ProposalInFull = z.output<(typeof contract.getProposal)['responses'][200]>
export type DisclosureRequest = Disclosures['Requests'][number]
export type Restriction = z.output<(typeof contract.listRestrictions)['responses'][200]>['Items'][number]

export const DISCLOSURES = ['disclosures'] as const

/** What was given of a case, what is due, and what may not leave. */
export function useDisclosures(caseId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...DISCLOSURES, tenant, 'case', caseId],
    queryFn: ({ signal }) => call(contract.listDisclosures, { params: { tenantId: tenant, caseId }, signal }),
  })
}

/** @param no null: none is asked for */
export function useDisclosure(caseId: string, no: number | null) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...DISCLOSURES, tenant, 'record', caseId, no],
    enabled: no !== null,
    queryFn: ({ signal }) =>
      call(contract.getDisclosure, { params: { tenantId: tenant, caseId, no: String(no) }, signal }),
  })
}

/** What would be given now by what was proposed: asked anew each time, since rights and files change. */
export function useProposal({ CaseId: caseId, No }: Pick<Proposal, 'CaseId' | 'No'>) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...DISCLOSURES, tenant, 'proposal', caseId, No],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(contract.getProposal, { params: { tenantId: tenant, caseId, no: String(No) }, signal }),
  })
}

export function useRestrictions(evidenceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [...DISCLOSURES, tenant, 'restrictions', evidenceId],
    queryFn: ({ signal }) => call(contract.listRestrictions, { params: { tenantId: tenant, evidenceId }, signal }),
  })
}

/** Has everything about disclosure asked again, and what a case or an evidence says of it. */
export function useDisclosuresChanged(): () => void {
  const queries = useQueryClient()
  return useCallback(() => {
    for (const key of [DISCLOSURES, ['case'], ['evidence']]) void queries.invalidateQueries({ queryKey: key })
  }, [queries])
}

const TO_DO = {
  EvidenceRestricted: 'doRestricted',
  NothingToDisclose: 'doNothing',
  PackageNotFound: 'doPackage',
  DisclosureSuperseded: 'doReplaced',
  DisclosureAcknowledged: 'doAcknowledged',
  DisclosureGroundEnded: 'doGroundEnded',
  DisclosureNeedsApproval: 'doPropose',
  DisclosureProposalClosed: 'doProposalClosed',
  DisclosureProposalOutdated: 'doProposeAgain',
  DisclosureRequestClosed: 'doRequestClosed',
  EvidenceRelationsNotFound: 'doScan',
  EvidenceDeleted: 'doDeleted',
  ScheduleSensitive: 'doSensitive',
  PaperTemplateUnusable: 'doTemplate',
  AlreadyRestricted: 'doAlready',
  NotRestricted: 'doLifted',
  Forbidden: 'doForbidden',
  ReadOnly: 'doReadOnly',
} as const satisfies Readonly<Record<string, MessageKey<'disclosure'>>>

/** What a person can do about a refusal; undefined where the words of the station say it. */
export function toDoOf(error: Error): string | undefined {
  if (!(error instanceof Fault) || !Object.hasOwn(TO_DO, error.code)) return undefined
  return translate('disclosure', TO_DO[error.code as keyof typeof TO_DO])
}
