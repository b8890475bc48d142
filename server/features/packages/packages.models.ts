import type { z } from 'zod'
import type { PackageModel } from '../../../shared/packages/contract.ts'
import type { PackagePaper, PackagePart } from '../../../shared/packages/kinds.ts'
import type { JobView } from '../../kernel/jobs/types.ts'
import type { LeftOut } from './collect.ts'
import { isCutOff, type PackageOrderRow, type PackageRow, type WitnessRow } from './packages.store.ts'
import { type SaidWitness, witnessesSaid } from './witnesses.ts'

export type PackageOut = z.input<typeof PackageModel>

interface Beside {
  /** Whether its file is at the station. */
  readonly kept: boolean
  /** Known when it is ordered. */
  readonly leftOut: readonly LeftOut[] | null
  /** Not of a package of the command line. */
  readonly order: PackageOrderRow | undefined
  readonly isOfExport: boolean
  readonly witnesses: readonly WitnessRow[]
}

/** @param job its last one */
export function packageModel(
  row: PackageRow,
  job: LastJob | null,
  { kept, order, leftOut, isOfExport, witnesses }: Beside,
): PackageOut {
  const { State, Problem } = stateOf(row, job)
  const isMade = State === 'Made'
  return {
    PackageId: String(row.package_id),
    Name: row.name,
    Title: row.title,
    CaseId: row.case_id === null ? null : String(row.case_id),
    Variant: row.variant,
    Parts: JSON.parse(row.parts) as PackagePart[],
    Papers: JSON.parse(row.papers) as PackagePaper[],
    Language: row.language,
    Form: row.form,
    Encrypted: order === undefined ? null : order.encrypted === 1,
    Drive: order?.drive ?? null,
    Supplements: row.supplements === null ? null : String(row.supplements),
    OfExport: isOfExport,
    State,
    Problem,
    Progress: State === 'Making' ? (job?.progress ?? null) : null,
    Items: row.items,
    Bytes: row.bytes,
    SignedSha256: isMade ? row.signed_sha256 : null,
    Witnesses: isMade ? witnesses.flatMap(witnessModels) : [],
    CanDownload: kept,
    LeftOut:
      leftOut?.map(({ evidenceId, title, why }) => ({ EvidenceId: String(evidenceId), Title: title, Why: why })) ??
      null,
    CreatedUtcTime: row.created_utc,
    CreatedBy: (JSON.parse(row.created_by) as { readonly Username: string }).Username,
    FinishedUtcTime: isMade || row.state === 'Failed' ? row.finished_utc : null,
  }
}

const witnessModels = ({ kind, said, is_beside }: WitnessRow): PackageOut['Witnesses'] =>
  witnessesSaid(kind, said).map((one: SaidWitness) => ({
    Kind: kind,
    By: one.by,
    UtcTime: one.timeUtc,
    KeyFingerprint: one.fingerprint,
    Problem: one.problem,
    IsBeside: one.problem === null && is_beside === 1,
  }))

type LastJob = Pick<JobView, 'state' | 'message' | 'progress'>

function stateOf(row: PackageRow, job: LastJob | null): Pick<PackageOut, 'State' | 'Problem'> {
  // It is recorded before it has its name, and the receipt is written after that.
  const isNotNamedYet = row.state === 'Made' && (job?.state === 'running' || job?.state === 'queued')
  if (row.state !== 'Making' && !isNotNamedYet && !isCutOff(row))
    return { State: row.state, Problem: row.problem === '' ? null : row.problem }
  switch (job?.state) {
    case 'queued':
    case 'waiting':
      return { State: 'Waiting', Problem: job.message === '' ? null : job.message }
    case 'running':
      return { State: 'Making', Problem: null }
    case 'failed':
      return { State: 'Failed', Problem: job.message }
    default:
      // Stopped, or begun on the command line and cut off.
      return { State: 'Stopped', Problem: null }
  }
}
