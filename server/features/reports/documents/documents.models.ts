import type { EVIDENCE_STATUSES } from '../../../../shared/evidence/list.contract.ts'

export type EvidenceStatus = (typeof EVIDENCE_STATUSES)[number] | 'deleted'
