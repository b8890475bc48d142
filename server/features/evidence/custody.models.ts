import type { z } from 'zod'
import type {
  CustodyEntry as CustodyEntryModel,
  CustodyPage as CustodyPageModel,
} from '../../../shared/evidence/custody.contract.ts'
import type { CustodyEntry } from '../../kernel/ledger/custody-history.ts'
import type { ImportedCustody } from '../../kernel/ledger/imported-entries.store.ts'

export type CustodyEntryOut = z.input<typeof CustodyEntryModel>
export type CustodyPageOut = z.input<typeof CustodyPageModel>

const NOT_READABLE = {
  timeUtc: '',
  actor: { kind: '', id: '', name: '', role: null },
  source: '',
  action: '',
  object: { type: '', id: '', name: '' },
  outcome: 'failed',
  reason: 'The stored bytes are no entry.',
  bytes: null,
  sha256: null,
  correlationId: '',
  detail: null,
} as const

/** An entry as it goes out; one whose stored bytes are no entry any more says so. */
export function custodyEntryModel({ seq, kind, entry, canonical, hash, previousHash }: CustodyEntry): CustodyEntryOut {
  const said = entry ?? NOT_READABLE
  return {
    Seq: seq,
    TimeUtc: said.timeUtc,
    Actor: { Kind: said.actor.kind, Id: said.actor.id, Name: said.actor.name, Role: said.actor.role },
    Source: said.source,
    Action: said.action,
    Kind: kind,
    Object: { Type: said.object.type, Id: said.object.id, Name: said.object.name },
    Outcome: said.outcome,
    Reason: said.reason,
    Bytes: said.bytes,
    Sha256: said.sha256,
    CorrelationId: said.correlationId,
    Detail: said.detail === null ? null : { ...said.detail },
    Hash: hash,
    PreviousHash: previousHash,
    Canonical: canonical,
  }
}

export const importedModel = ({
  kind,
  origin,
  stationName,
  sourceId,
  importedUtc,
  lines,
}: ImportedCustody): CustodyPageOut['Imported'][number] => ({
  Kind: kind,
  Origin: origin,
  StationName: stationName,
  SourceId: sourceId,
  ImportedTimeUtc: importedUtc,
  Entries: [...lines],
})
