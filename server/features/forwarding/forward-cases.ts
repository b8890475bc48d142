/** Finds or creates the cases of an evidence at headquarters, and links it to them. */
import { connectionReason } from '../../../shared/messages/connection-reasons.ts'
import type { CaseRow } from '../../kernel/cases/cases.store.ts'
import type { EvidenceRow } from '../../kernel/evidence/records.store.ts'
import { type HeadquartersClient, HeadquartersRefusal, newKey, type RemoteCase } from './client.ts'
import { type Contact, type ForwardDeps, NeedsPerson } from './contact.ts'
import * as rows from './forwarding.store.ts'
import { caseTagOf, KEY_LIFE_MS } from './rules.ts'

export async function linkCases(
  deps: ForwardDeps,
  contact: Contact,
  evidence: EvidenceRow,
  remoteId: string,
): Promise<void> {
  const { db } = deps
  for (const one of await rows.linkedCases(db.read, evidence.evidence_id)) {
    if (await rows.linkIsForwarded(db.read, evidence.evidence_id, one.case_id)) continue
    contact.goOn()
    try {
      const remoteCase = await requireCase(deps, contact, one)
      await contact.client.linkEvidence(remoteCase, remoteId)
    } catch (error) {
      // The case service says no more than that (decisions 2).
      if (!(error instanceof HeadquartersRefusal) || error.status !== 403) throw error
      throw new NeedsPerson(connectionReason('caseRefused', { title: one.title }))
    }
    await db.inBackground.transaction((tx) => rows.insertForwardedLink(tx, evidence.evidence_id, one.case_id))
  }
}

async function requireCase(
  { db, clock, origin }: ForwardDeps,
  { client, categories }: Contact,
  one: CaseRow,
): Promise<string> {
  const known = await rows.caseForward(db.read, one.case_id)
  if (known?.remote_case_id != null) return known.remote_case_id
  const found = await findCase(client, origin, one)
  let row = known
  if (row === undefined || clock.now() - row.create_at > KEY_LIFE_MS) {
    const category = await rows.categoryName(db.read, one.category_id === null ? null : String(one.category_id))
    const body = {
      Title: one.title,
      Description: one.description,
      CategoryId: categories.find((there) => there.enabled && there.name === category)?.id ?? null,
      OccurredOn: one.occurred_on,
      EndedOn: one.ended_on,
      ExternalReferenceId1: one.external_reference_1,
      ExternalReferenceId2: one.external_reference_2,
      Tags: [caseTagOf(origin, one.case_id, one.created_utc)],
    }
    row = {
      case_id: one.case_id,
      remote_case_id: null,
      create_key: newKey(),
      create_at: clock.now(),
      create_body: JSON.stringify(body),
    }
    const kept = row
    await db.inBackground.transaction((tx) => rows.putCaseForward(tx, kept))
  }
  const made = found ?? (await client.createCase(JSON.parse(row.create_body) as object, row.create_key))
  const settled = { ...row, remote_case_id: made.CaseId }
  await db.inBackground.transaction((tx) => rows.putCaseForward(tx, settled))
  return made.CaseId
}

/** By its incident number, its record number, or the tag that this station gave it. */
async function findCase(client: HeadquartersClient, origin: string, one: CaseRow): Promise<RemoteCase | null> {
  const { external_reference_1: record, external_reference_2: incident } = one
  const tag = caseTagOf(origin, one.case_id, one.created_utc)
  const ways: [string | null, (found: RemoteCase) => boolean][] = [
    [incident, (found) => found.ExternalReferenceId2 === incident],
    [record, (found) => found.ExternalReferenceId1 === record],
    [tag, (found) => found.Tags.includes(tag)],
  ]
  for (const [words, fits] of ways) {
    if (words === null || words === '') continue
    const found = await client.findCase(words, fits)
    if (found !== null) return found
  }
  return null
}
