/** Questions to a person: a field was changed here and at headquarters. */
import type { z } from 'zod'
import type * as contract from '../../../shared/forwarding/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { EvidenceChange } from '../../kernel/evidence/change.ts'
import { evidenceObject } from '../../kernel/evidence/objects.ts'
import { evidenceOf, policiesOf, tagsOf } from '../../kernel/evidence/records.store.ts'
import { storedPrincipal } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import { isoMillis } from '../../platform/clock/clock.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import * as rows from './forwarding.store.ts'
import type { Base, FieldName, Fields } from './rules.ts'

export type QuestionOut = z.input<typeof contract.ForwardingQuestionModel>

export async function listQuestions({ db }: ForwardingDeps, tenant: string): Promise<QuestionOut[]> {
  return (await rows.questionsOf(db.read, tenant)).map((row) => ({
    QuestionId: String(row.question_id),
    EvidenceId: String(row.evidence_id),
    Name: row.name,
    AskedTimeUtc: row.asked_utc,
    Fields: fieldsIn(row).map(({ Field, Ours, Theirs }) => ({ Field, Ours, Theirs })),
  }))
}

/** @throws Fault ForwardingQuestionNotFound */
export async function settleQuestion(
  deps: ForwardingDeps,
  call: Call,
  tenant: string,
  questionId: string,
  keep: 'ours' | 'theirs',
): Promise<void> {
  const { db, ledger, clock } = deps
  await db.transaction(async (tx) => {
    const question = await rows.questionById(tx, tenant, Number(questionId))
    if (question === undefined || String(question.question_id) !== questionId)
      throw fault('ForwardingQuestionNotFound', 'There is no open question of this number.')
    const id = question.evidence_id
    const fields = fieldsIn(question)
    const item = (await rows.itemOf(tx, id)) as rows.ItemRow
    // What headquarters has is the new base: ours differs from it and is sent, or the record here takes it.
    const base = {
      ...(JSON.parse(item.sent as string) as Base),
      ...Object.fromEntries(fields.map(({ Field, Value }) => [Field, Value])),
    }
    await rows.changeItem(tx, id, {
      sent: JSON.stringify(base),
      state: 'waiting',
      ground: 'changed',
      attempts: 0,
      next_at: 0,
      queued_at: Math.max(clock.now(), item.queued_at + 1),
    })
    const evidence = await evidenceOf(tx, id)
    if (keep === 'theirs') {
      const tags = (await tagsOf(tx, [id])).get(id) ?? []
      const change = await changeOf(tx, tenant, fields)
      await deps.records.changeEvidence(tx, call, { row: evidence, tags, policies: await policiesOf(tx, [id]) }, change)
    }
    await rows.settleQuestion(tx, question.question_id, {
      decision: keep,
      settled_utc: isoMillis(clock.now()),
      settled_by: JSON.stringify(storedPrincipal(call.actor)),
    })
    await ledger.append(tx, call, {
      action: 'forwarding.questionSettled',
      object: evidenceObject(evidence),
      detail: { kept: keep, fields: fields.map(({ Field }) => Field) },
    })
  })
}

interface QuestionField {
  readonly Field: FieldName
  readonly Ours: string | null
  readonly Theirs: string | null
  readonly Value: Fields[FieldName]
}
const fieldsIn = (row: rows.QuestionRow): QuestionField[] => JSON.parse(row.fields) as QuestionField[]

/** The change that gives the record here the values of headquarters. A category that is not here is left out. */
async function changeOf(
  from: Database['read'],
  tenant: string,
  fields: readonly QuestionField[],
): Promise<EvidenceChange> {
  const change: Record<string, unknown> = { policies: null }
  for (const { Field, Value } of fields) {
    if (Field === 'Category') {
      const id = Value === null ? null : await rows.categoryByName(from, tenant, nameKey(Value as string))
      if (id !== null) change['CategoryId'] = String(id)
    } else if (Field === 'StartTimeUtc' || Field === 'EndTimeUtc') {
      if (Value !== null) change[Field] = parseTime(Value as string, { utcMember: true })
    } else change[Field] = Value ?? (Field === 'Description' || Field === 'LocationText' ? '' : null)
  }
  return change as unknown as EvidenceChange
}
