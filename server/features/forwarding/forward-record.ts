/** Sends the record of an evidence: creates it once at headquarters, and sends later changes of its fields. */
import { evidenceObject } from '../../kernel/evidence/objects.ts'
import { type EvidenceRow, tagsOf } from '../../kernel/evidence/records.store.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import { HeadquartersRefusal, newKey } from './client.ts'
import type { Contact, ForwardDeps } from './contact.ts'
import { bodyOf, fieldsOf, fitFields, type RemoteCategory, remoteFields } from './fields.ts'
import * as rows from './forwarding.store.ts'
import { type Base, FIELD_NAMES, type Fields, isAsSent, KEY_LIFE_MS, mergeFields, sourceIdOf, textOf } from './rules.ts'

async function localFields(
  { db }: ForwardDeps,
  evidence: EvidenceRow,
  categories: readonly RemoteCategory[],
): Promise<Fields> {
  const tags = (await tagsOf(db.read, [evidence.evidence_id])).get(evidence.evidence_id) ?? []
  return fitFields(fieldsOf(evidence, tags, await rows.categoryName(db.read, evidence.category_id)), categories)
}

/** @returns its id at headquarters, where it was created once, whatever was interrupted */
export async function requireEvidence(
  deps: ForwardDeps,
  { client, categories }: Contact,
  item: rows.ItemRow,
  evidence: EvidenceRow,
): Promise<string> {
  if (item.remote_evidence_id !== null) return item.remote_evidence_id
  const { db, clock, origin } = deps
  const id = evidence.evidence_id
  const sourceId = sourceIdOf(origin, id, evidence.created_utc)
  let { create_key: key, create_body: body } = item
  const remember = (remoteId: string, sent: Base): Promise<void> =>
    db.inBackground.transaction((tx) =>
      rows.changeItem(tx, id, { remote_evidence_id: remoteId, sent: JSON.stringify(sent) }),
    )
  const isKeyOld = item.create_at !== null && clock.now() - item.create_at > KEY_LIFE_MS
  if (key === null || body === null || isKeyOld) {
    // Headquarters may have it: it forgot the key, or this station was restored and forgot that it sent it. Its own name for it tells.
    const found = await client.findEvidence(sourceId)
    if (found !== null) {
      await remember(found.EvidenceId, body === null ? {} : (JSON.parse(body) as { fields: Fields }).fields)
      return found.EvidenceId
    }
    const fields = await localFields(deps, evidence, categories)
    const Device = evidence.device === null ? null : deviceOf(evidence.device)
    key = newKey()
    body = JSON.stringify({ fields, sent: { ...bodyOf(fields, FIELD_NAMES, categories), Device, SourceId: sourceId } })
    const kept = { create_key: key, create_at: clock.now(), create_body: body }
    await db.inBackground.transaction((tx) => rows.changeItem(tx, id, kept))
  }
  // The same key needs the same body, whatever was changed here meanwhile.
  const { fields, sent } = JSON.parse(body) as { fields: Fields; sent: object }
  const made = await client.createEvidence(sent, key)
  await remember(made.EvidenceId, fields)
  return made.EvidenceId
}

function deviceOf(text: string): object {
  const { DeviceType, Manufacturer, SerialNumber, Model } = JSON.parse(text) as Record<string, string | null>
  return { DeviceType, Manufacturer, SerialNumber, Model }
}

/** Later changes, by PATCH with the concurrency id. */
export async function sendFields(
  deps: ForwardDeps,
  { client, categories, tenant, call }: Contact,
  evidence: EvidenceRow,
  remoteId: string,
): Promise<void> {
  const { db, ledger, clock } = deps
  const id = evidence.evidence_id
  for (let tries = 0; ; tries++) {
    const { sent } = (await rows.itemOf(db.read, id)) as rows.ItemRow
    const base = JSON.parse(sent as string) as Base
    const ours = await localFields(deps, evidence, categories)
    if (FIELD_NAMES.every((name) => isAsSent(base, ours, name))) return dropQuestion(deps, id)
    const remote = await client.readEvidence(remoteId)
    const theirs = remoteFields(remote, categories)
    const { send, conflicts } = mergeFields(base, ours, theirs)
    if (send.length > 0)
      try {
        await client.patchEvidence(remoteId, { ...bodyOf(ours, send, categories), ConcurrencyId: remote.ConcurrencyId })
      } catch (error) {
        // Somebody changed it between the two calls.
        if (error instanceof HeadquartersRefusal && error.code === 'EvidenceNotUpToDate' && tries < 5) continue
        throw error
      }
    // A field in question keeps its base until somebody decides.
    const agreed = Object.fromEntries(
      FIELD_NAMES.map((name) => [
        name,
        conflicts.includes(name) || isAsSent(base, ours, name) ? base[name] : ours[name],
      ]),
    )
    const isKept = await db.inBackground.transaction(async (tx) => {
      // A person settled a question meanwhile, which gives the fields another base.
      if ((await rows.itemOf(tx, id))?.sent !== sent) return false
      await rows.changeItem(tx, id, { sent: JSON.stringify(agreed), ...(send.length > 0 ? { custody_due: 1 } : {}) })
      const open = await rows.openQuestionOf(tx, id)
      const fields = JSON.stringify(
        conflicts.map((Field) => ({
          Field,
          Ours: textOf(ours, Field),
          Theirs: textOf(theirs, Field),
          Value: theirs[Field],
        })),
      )
      if (open !== undefined && open.fields === fields) return true
      if (open !== undefined)
        await rows.settleQuestion(tx, open.question_id, { decision: 'outdated', settled_utc: isoMillis(clock.now()) })
      if (conflicts.length > 0)
        await rows.insertQuestion(tx, {
          tenant_id: tenant,
          evidence_id: id,
          fields,
          asked_utc: isoMillis(clock.now()),
          decision: null,
          settled_utc: null,
          settled_by: null,
        })
      if (open !== undefined || conflicts.length > 0)
        await ledger.append(tx, call, {
          action: 'forwarding.questionAsked',
          object: evidenceObject(evidence),
          detail: { fields: conflicts, address: client.origin },
        })
      return true
    })
    if (isKept) return
  }
}

/** The record here has the values that headquarters got: there is nothing to decide any more. */
async function dropQuestion({ db, clock }: ForwardDeps, evidenceId: number): Promise<void> {
  const open = await rows.openQuestionOf(db.read, evidenceId)
  if (open === undefined) return
  await db.inBackground.transaction((tx) =>
    rows.settleQuestion(tx, open.question_id, { decision: 'outdated', settled_utc: isoMillis(clock.now()) }),
  )
}
