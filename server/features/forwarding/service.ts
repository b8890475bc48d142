import type { HttpCall } from '../../http/handlers.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { type ItemOut, type ItemsPage, listBacklog, retryItem } from './backlog.ts'
import { type EvidenceOut, readForwarding, requestFetch, requestForwarding } from './evidence-forwarding.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import * as headquarters from './headquarters.ts'
import type { HeadquartersOut } from './headquarters.ts'
import { listQuestions, type QuestionOut, settleQuestion } from './questions.ts'
import { type StationCustody, verifyForwardedCustody } from './received-custody.ts'
import type { Rules } from './rules.ts'

export interface ForwardingService {
  read(tenant: string): Promise<HeadquartersOut>
  /** @throws Fault HeadquartersUnusable, HeadquartersRefused */
  import(call: Call, tenant: string, file: unknown): Promise<HeadquartersOut>
  /** @throws Fault HeadquartersNotSet, HeadquartersNeeded */
  remove(call: Call, tenant: string): Promise<void>
  /** @throws Fault HeadquartersNotSet */
  setRules(call: Call, tenant: string, given: Rules): Promise<HeadquartersOut>
  /** @throws Fault HeadquartersNotSet */
  test(call: Call, tenant: string): Promise<HeadquartersOut>
  items(
    tenant: string,
    state: ItemOut['State'],
    page: { readonly after: number; readonly count: number },
  ): Promise<ItemsPage>
  /** @throws Fault ForwardingNotFailed */
  retry(call: Call, tenant: string, evidenceId: string): Promise<void>
  questions(tenant: string): Promise<QuestionOut[]>
  /** @throws Fault ForwardingQuestionNotFound */
  settle(call: Call, tenant: string, questionId: string, keep: 'ours' | 'theirs'): Promise<void>
  /** Of stations that forward to this server. */
  verifyCustody(call: Call): Promise<StationCustody[]>
  ofEvidence(call: HttpCall, tenant: string, evidenceId: string): Promise<EvidenceOut>
  /** @throws Fault HeadquartersNotSet, EvidenceNotCompleted */
  request(call: HttpCall, tenant: string, evidenceId: string): Promise<EvidenceOut>
  /** Nothing is fetched where the bytes are here. @throws Fault HeadquartersNotSet */
  fetch(call: HttpCall, tenant: string, evidenceId: string, resourceId: string): Promise<EvidenceOut>
}

export const createForwardingService = (deps: ForwardingDeps): ForwardingService => ({
  read: (tenant) => headquarters.readHeadquarters(deps, tenant),
  import: (call, tenant, file) => headquarters.importHeadquarters(deps, call, tenant, file),
  remove: (call, tenant) => headquarters.removeHeadquarters(deps, call, tenant),
  setRules: (call, tenant, given) => headquarters.setRules(deps, call, tenant, given),
  test: (call, tenant) => headquarters.testHeadquarters(deps, call, tenant),
  items: (tenant, state, page) => listBacklog(deps, tenant, state, page),
  retry: (call, tenant, evidenceId) => retryItem(deps, call, tenant, evidenceId),
  questions: (tenant) => listQuestions(deps, tenant),
  settle: (call, tenant, questionId, keep) => settleQuestion(deps, call, tenant, questionId, keep),
  verifyCustody: (call) => verifyForwardedCustody(deps, call),
  ofEvidence: (call, tenant, evidenceId) => readForwarding(deps, call, tenant, evidenceId),
  request: (call, tenant, evidenceId) => requestForwarding(deps, call, tenant, evidenceId),
  fetch: (call, tenant, evidenceId, resourceId) => requestFetch(deps, call, tenant, evidenceId, resourceId),
})
