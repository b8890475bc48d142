import { hash } from 'node:crypto'
import { canonicalJson } from '../../../kernel/ledger/canonical.ts'
import type { Signer } from '../../../kernel/ledger/signed-note.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { ReadThrough } from '../../../platform/files/aligned.ts'
import type { FileRow, RecordingRow, SessionRow } from './sessions.store.ts'

/**
 * What was on a camera and what became of it: canonical JSON (RFC 8785), signed by the key of the station's checkpoints, so that
 * `openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in receipt.json -sigfile receipt.sig` says whether the station said so.
 */
export interface ReceiptFacts {
  readonly station: string
  readonly row: SessionRow
  readonly recordings: readonly RecordingRow[]
  readonly files: readonly FileRow[]
  readonly readBack: ReadThrough
  /** Of the ledger, after everything that this receipt tells. */
  readonly head: { readonly seq: number; readonly hash: string }
  readonly releasedUtc: string
}

export type ReceiptBody = ReturnType<typeof receiptOf>

/** Pure. */
export function receiptOf({ station, row, recordings, files, readBack, head, releasedUtc }: ReceiptFacts) {
  const evidenceOfRecording = new Map(recordings.map((one) => [one.recording_id, one.evidence_id]))
  return {
    format: 1,
    kind: 'dock receipt',
    station,
    tenant: row.tenant_id,
    dockSessionId: String(row.session_id),
    bay: row.bay,
    label: row.label,
    detectedUtc: isoMillis(row.detected_at),
    firstByteUtc: timeOf(row.first_byte_at),
    lastByteUtc: timeOf(row.last_byte_at),
    committedUtc: timeOf(row.committed_at),
    releasedUtc,
    /** How often it was put in. */
    rounds: row.round,
    deviceId: row.device_id,
    device: parsed(row.device),
    profile: row.profile,
    notes: parsed(row.notes) ?? [],
    /** One statement for each time it was put in. */
    clock: parsed(row.clock) ?? [],
    configuration: parsed(row.configuration),
    clearRule: row.clear_rule,
    /** On another volume, in which every file below lies once more; null: none is made. */
    secondCopy: row.second_copy,
    /** How the store reads back: from the disk, or through its cache. */
    readBack,
    recordings: recordings.map((one) => ({
      name: one.name,
      evidenceId: one.evidence_id === null ? null : String(one.evidence_id),
      startUtc: one.start_utc,
      endUtc: one.end_utc,
      correctedStartUtc: one.corrected_start_utc,
      correctedEndUtc: one.corrected_end_utc,
      /** By what its times were put right, and how exactly that is known; null: nothing tells what the camera's clock showed. */
      offsetMilliseconds: one.offset_ms,
      uncertaintyMilliseconds: one.uncertainty_ms,
      officer: parsed(one.officer),
      marks: parsed(one.marks),
      locationWkt: one.location_wkt,
      /** By which rule of the station it was filed; null: by none, so that it is unclassified. */
      filed: parsed(one.rule),
    })),
    files: files.map((file) => ({
      path: file.path,
      bytes: file.length,
      outcome: file.outcome,
      reason: file.reason,
      sha256: file.sha256,
      /** The hash in the camera's own list, where the bytes have another. */
      ...(file.differs_from === null ? {} : { differsFrom: file.differs_from }),
      readBack: file.read_back,
      /** Of one that was here: its bytes were read again, or it was recognised by name, size and time alone. */
      ...(file.known_by === null ? {} : { knownBy: file.known_by }),
      /** The byte at which its copy went on after the camera had been taken out. */
      ...(file.resumed_from === null ? {} : { resumedFrom: file.resumed_from }),
      ...(file.second_at === null
        ? {}
        : { secondCopyUtc: isoMillis(file.second_at), secondReadBack: file.second_read_back }),
      evidenceId: idOf(file.recording_id === null ? null : (evidenceOfRecording.get(file.recording_id) ?? null)),
      resourceId: idOf(file.resource_id),
      ledgerSeq: file.ledger_seq,
      cleared: file.clearing === 'cleared',
      ...(file.clearing === 'begun' ? { clearing: 'begun' } : {}),
      keptBecause: file.clearing === 'cleared' ? null : file.clearing_reason,
    })),
    totals: totalsOf(files),
    ledgerHead: head,
  }
}

function totalsOf(files: readonly FileRow[]) {
  const count = (fits: (file: FileRow) => boolean): number => files.filter(fits).length
  return {
    files: files.length,
    taken: count(({ outcome }) => outcome === 'taken'),
    hereAlready: count(({ outcome }) => outcome === 'here'),
    foreign: count(({ outcome }) => outcome === 'foreign'),
    failed: count(({ outcome }) => outcome === 'failed' || outcome === 'gone'),
    differs: count(({ differs_from: listed }) => listed !== null),
    cleared: count(({ clearing }) => clearing === 'cleared'),
    bytesTaken: files.reduce((sum, { outcome, length }) => sum + (outcome === 'taken' ? length : 0), 0),
  }
}

const timeOf = (millis: number | null): string | null => (millis === null ? null : isoMillis(millis))
const idOf = (id: number | null): string | null => (id === null ? null : String(id))
const parsed = (text: string | null): unknown => (text === null ? null : (JSON.parse(text) as unknown))

export interface SignedReceipt {
  readonly body: Uint8Array
  readonly sha256: string
  readonly signature: Uint8Array
  readonly publicKey: Uint8Array
}

export function signReceipt(body: ReceiptBody, signer: Signer): SignedReceipt {
  const bytes = Buffer.from(canonicalJson(body))
  return { body: bytes, sha256: hash('sha256', bytes), signature: signer.sign(bytes), publicKey: signer.publicKey }
}
