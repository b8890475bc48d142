import type { z } from 'zod'
import { createHash } from 'node:crypto'
import type * as contract from '../../../shared/forwarding/contract.ts'
import { ForwardingRules } from '../../../shared/forwarding/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { nameKey } from '../../../shared/kernel/names.ts'
import { parseTime } from '../../../shared/kernel/time.ts'
import type { Database } from '../../kernel/database/database.ts'
import type { EvidenceChange } from '../../kernel/evidence/change.ts'
import { evidenceObject, resourceObject } from '../../kernel/evidence/objects.ts'
import { createReach } from '../../kernel/evidence/reach.ts'
import { evidenceOf, policiesOf, type ResourceRow, tagsOf } from '../../kernel/evidence/records.store.ts'
import type { Records } from '../../kernel/evidence/records.ts'
import type { Access } from '../../kernel/access/access.ts'
import type { JobQueue } from '../../kernel/jobs/queue.ts'
import { storedPrincipal } from '../../kernel/ledger/alarms.ts'
import type { Call } from '../../kernel/ledger/call.ts'
import type { Ledger } from '../../kernel/ledger/ledger.ts'
import type { Signer } from '../../kernel/ledger/signed-note.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import type { HttpCall } from '../../http/handlers.ts'
import { FETCH_JOB, fetchJob } from './fetch.ts'
import { type Forwarder, nextWindow, sealedAbout } from './forwarding.ts'
import * as rows from './forwarding.store.ts'
import { estimateEnd, type FieldName, type Fields, isOpen, paceOf, type Rules } from './rules.ts'

export type HeadquartersOut = z.input<typeof contract.HeadquartersModel>
type EvidenceOut = z.input<typeof contract.EvidenceForwardingModel>
type ItemOut = z.input<typeof contract.ForwardingItemModel>
type QuestionOut = z.input<typeof contract.ForwardingQuestionModel>

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
    page: { after: number; count: number },
  ): Promise<{ Items: ItemOut[]; last: number | null }>
  /** @throws Fault ForwardingNotFailed */
  retry(call: Call, tenant: string, evidenceId: string): Promise<void>
  questions(tenant: string): Promise<QuestionOut[]>
  /** @throws Fault ForwardingQuestionNotFound */
  settle(call: Call, tenant: string, questionId: string, keep: 'ours' | 'theirs'): Promise<void>
  ofEvidence(call: HttpCall, tenant: string, evidenceId: string): Promise<EvidenceOut>
  /** @throws Fault HeadquartersNotSet, EvidenceNotCompleted */
  request(call: HttpCall, tenant: string, evidenceId: string): Promise<EvidenceOut>
  /** Nothing is fetched where the bytes are here. @throws Fault HeadquartersNotSet */
  fetch(call: HttpCall, tenant: string, evidenceId: string, resourceId: string): Promise<EvidenceOut>
}

interface Deps {
  readonly db: Database
  readonly ledger: Ledger
  readonly access: Access
  readonly records: Pick<Records, 'changeEvidence'>
  readonly jobs: Pick<JobQueue, 'enqueue' | 'kick' | 'ofSubjects'>
  readonly clock: Clock
  readonly timeZone: string
  readonly origin: string
  readonly signer: () => Signer
  readonly sealer: { seal(secret: Uint8Array, about: string): string }
  readonly forwarder: Forwarder
}

const NO_RULES: Rules = ForwardingRules.parse({})

export function createForwardingService(deps: Deps): ForwardingService {
  const { db, ledger, clock, forwarder, jobs } = deps
  const { reach, reachRows } = createReach(deps)
  const needed = async (from: Database['read'], tenant: string): Promise<rows.HeadquartersRow> => {
    const row = await rows.headquartersOf(from, tenant)
    if (row === undefined)
      throw fault('HeadquartersNotSet', 'No headquarters is set. An administrator imports its connection file first.')
    return row
  }
  const objectOf = (tenant: string, address: string) => ({ type: 'headquarters', id: tenant, name: address })

  const backlog = async (
    tenant: string,
    row: rows.HeadquartersRow | undefined,
    rules: Rules,
  ): Promise<HeadquartersOut['Backlog']> => {
    const now = clock.now()
    const byState = new Map((await rows.backlogOf(db.read, tenant)).map((one) => [one.state, one]))
    const current = forwarder.current(tenant)
    const waiting = byState.get('waiting')
    const bytes = Math.max(0, (waiting?.bytes ?? 0) - (current?.sent ?? 0))
    const measured = row?.bytes_per_second ?? null
    const limit = paceOf(rules)
    const pace = measured === null ? limit : limit === null ? measured : Math.min(measured, limit)
    const end = estimateEnd(bytes, pace, rules.Windows, now, deps.timeZone)
    const opening = nextWindow(rules, now, deps.timeZone)
    return {
      Waiting: waiting?.items ?? 0,
      WaitingBytes: bytes,
      Failed: byState.get('failed')?.items ?? 0,
      Done: byState.get('done')?.items ?? 0,
      Questions: await rows.countQuestions(db.read, tenant),
      BytesPerSecond: pace,
      DoneTimeUtc: waiting === undefined || rules.Paused || end === null ? null : isoMillis(end),
      NextWindowUtc: opening === null ? null : isoMillis(opening),
      Current:
        current === null
          ? null
          : {
              EvidenceId: String(current.evidenceId),
              Name: current.name,
              Bytes: current.bytes,
              SentBytes: Math.min(current.sent, current.bytes),
            },
    }
  }

  const stateOf = (row: rows.HeadquartersRow | undefined, rules: Rules): HeadquartersOut['State'] => {
    if (row === undefined) return 'none'
    if (row.refused === 1) return 'refused'
    if (rules.Paused) return 'paused'
    if (row.failures > 0) return 'away'
    return isOpen(rules.Windows, clock.now(), deps.timeZone) ? 'ready' : 'window'
  }

  const read = async (tenant: string): Promise<HeadquartersOut> => {
    const row = await rows.headquartersOf(db.read, tenant)
    const rules = row === undefined ? NO_RULES : ForwardingRules.parse(JSON.parse(row.rules))
    const cleared = await rows.clearedTotals(db.read)
    return {
      State: stateOf(row, rules),
      Address: row?.address ?? null,
      ClientId: row?.client_id ?? null,
      ImportedTimeUtc: row?.imported_utc ?? null,
      Rules: rules,
      LastContactUtc: row?.contact_at == null ? null : isoMillis(row.contact_at),
      Problem: row?.problem ?? null,
      NextTryUtc: row === undefined || row.failures === 0 ? null : isoMillis(row.next_at),
      Station: {
        Origin: deps.origin,
        Fingerprint: createHash('sha256').update(deps.signer().publicKey).digest('hex'),
        TimeZone: deps.timeZone,
      },
      Backlog: await backlog(tenant, row, rules),
      Cleared: { Blobs: cleared.blobs, Bytes: cleared.bytes },
    }
  }

  const ofEvidence = async (tenant: string, evidenceId: number): Promise<EvidenceOut> => {
    const row = await rows.headquartersOf(db.read, tenant)
    const item = await rows.itemOf(db.read, evidenceId)
    const receipts = await rows.receiptsOf(db.read, evidenceId)
    const cleared = await rows.forwardedBlobs(
      db.read,
      receipts.map(({ sha256 }) => sha256),
    )
    const fetches = await jobs.ofSubjects(receipts.map(({ resource_id: id }) => `resource:${id}`))
    return {
      State: item?.state ?? 'none',
      Address: row?.address ?? null,
      RemoteEvidenceId: item?.remote_evidence_id ?? null,
      Resources: receipts.map((receipt) => {
        const last = fetches
          .filter(({ kind, subject }) => kind === FETCH_JOB.name && subject === `resource:${receipt.resource_id}`)
          .at(-1)
        return {
          ResourceId: String(receipt.resource_id),
          Sha256: receipt.sha256,
          LengthInBytes: receipt.length,
          Address: receipt.address,
          RemoteEvidenceId: receipt.remote_evidence_id,
          RemoteResourceId: receipt.remote_resource_id,
          ConfirmedTimeUtc: receipt.confirmed_utc,
          ClearedTimeUtc: cleared.get(receipt.sha256)?.cleared_utc ?? null,
          Fetching: last !== undefined && ['queued', 'running', 'waiting'].includes(last.state),
          Problem: last !== undefined && ['failed', 'waiting'].includes(last.state) ? last.message : null,
        }
      }),
    }
  }

  return {
    read,

    import: async (call, tenant, file) => {
      const tried = await forwarder.try(file)
      if (!tried.ok) throw fault(tried.refused ? 'HeadquartersRefused' : 'HeadquartersUnusable', tried.problem)
      const client = tried.client
      if (client === null) throw fault('HeadquartersUnusable', 'The connection file cannot be used.')
      await db.transaction(async (tx) => {
        const before = await rows.headquartersOf(tx, tenant)
        const isAnother = before !== undefined && before.address !== client.origin
        if (isAnother && (await rows.backlogOf(tx, tenant)).some(({ state }) => state === 'waiting'))
          throw fault(
            'HeadquartersUnusable',
            'Evidence is on its way to another headquarters. Wait until nothing waits, or remove that connection first.',
          )
        if (isAnother) await rows.forgetItems(tx, tenant)
        await rows.putHeadquarters(tx, {
          tenant_id: tenant,
          address: client.origin,
          client_id: client.clientId,
          sealed: deps.sealer.seal(Buffer.from(JSON.stringify(file)), sealedAbout(tenant)),
          rules: before?.rules ?? JSON.stringify(NO_RULES),
          imported_utc: isoMillis(clock.now()),
          imported_by: JSON.stringify(storedPrincipal(call.actor)),
          contact_at: clock.now(),
          problem: null,
          bytes_per_second: isAnother ? null : (before?.bytes_per_second ?? null),
        })
        await ledger.append(tx, call, {
          action: 'headquarters.imported',
          object: objectOf(tenant, client.origin),
          detail: { clientId: client.clientId, tenant: client.tenantId },
        })
      })
      forwarder.interrupt()
      return read(tenant)
    },

    remove: async (call, tenant) => {
      await db.transaction(async (tx) => {
        const row = await needed(tx, tenant)
        const cleared = await rows.clearedTotals(tx)
        if (cleared.blobs > 0)
          throw fault(
            'HeadquartersNeeded',
            `The bytes of ${cleared.blobs} originals are at headquarters only. Fetch them back first.`,
          )
        await rows.forgetItems(tx, tenant)
        await rows.deleteHeadquarters(tx, tenant)
        await ledger.append(tx, call, { action: 'headquarters.removed', object: objectOf(tenant, row.address) })
      })
      forwarder.interrupt()
    },

    setRules: async (call, tenant, given) => {
      await db.transaction(async (tx) => {
        const row = await needed(tx, tenant)
        await rows.changeHeadquarters(tx, tenant, { rules: JSON.stringify(given) })
        await ledger.append(tx, call, {
          action: 'headquarters.rulesChanged',
          object: objectOf(tenant, row.address),
          detail: { ...given },
        })
      })
      forwarder.interrupt()
      return read(tenant)
    },

    test: async (call, tenant) => {
      const row = await needed(db.read, tenant)
      const tried = await forwarder.tryNow(tenant)
      await db.transaction((tx) =>
        ledger.append(tx, call, {
          action: 'headquarters.tested',
          object: objectOf(tenant, row.address),
          outcome: tried.ok ? 'ok' : 'failed',
          ...(tried.ok ? {} : { reason: tried.problem }),
        }),
      )
      return read(tenant)
    },

    items: async (tenant, state, page) => {
      const found = await rows.listItems(db.read, tenant, state, { after: page.after, count: page.count + 1 })
      const shown = found.slice(0, page.count)
      return {
        Items: shown.map((row) => ({
          EvidenceId: String(row.evidence_id),
          Name: row.name,
          State: row.state,
          Ground: row.ground,
          Bytes: row.bytes,
          QueuedTimeUtc: isoMillis(row.queued_at),
          DoneTimeUtc: row.done_at === null ? null : isoMillis(row.done_at),
          Attempts: row.attempts,
          NextTryUtc: row.state === 'waiting' && row.next_at > 0 ? isoMillis(row.next_at) : null,
          Problem: row.problem,
          RemoteEvidenceId: row.remote_evidence_id,
        })),
        last: found.length > page.count ? (shown.at(-1)?.evidence_id ?? null) : null,
      }
    },

    retry: (call, tenant, evidenceId) =>
      db.transaction(async (tx) => {
        const item = await rows.itemOf(tx, Number(evidenceId))
        if (
          item === undefined ||
          item.tenant_id !== tenant ||
          item.state !== 'failed' ||
          String(item.evidence_id) !== evidenceId
        )
          throw fault('ForwardingNotFailed', 'This is not among what failed.')
        await rows.changeItem(tx, item.evidence_id, { state: 'waiting', attempts: 0, next_at: 0 })
        await ledger.append(tx, call, {
          action: 'forwarding.retried',
          object: evidenceObject(await evidenceOf(tx, item.evidence_id)),
        })
      }),

    questions: async (tenant) =>
      (await rows.questionsOf(db.read, tenant)).map((row) => ({
        QuestionId: String(row.question_id),
        EvidenceId: String(row.evidence_id),
        Name: row.name,
        AskedTimeUtc: row.asked_utc,
        Fields: fieldsIn(row).map(({ Field, Ours, Theirs }) => ({ Field, Ours, Theirs })),
      })),

    settle: (call, tenant, questionId, keep) =>
      db.transaction(async (tx) => {
        const question = await rows.questionById(tx, tenant, Number(questionId))
        if (question === undefined || String(question.question_id) !== questionId)
          throw fault('ForwardingQuestionNotFound', 'There is no open question of this number.')
        const id = question.evidence_id
        const fields = fieldsIn(question)
        const item = (await rows.itemOf(tx, id)) as rows.ItemRow
        // What headquarters has is the new base: ours differs from it and is sent, or the record here takes it.
        const base = {
          ...(JSON.parse(item.sent as string) as Fields),
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
          await deps.records.changeEvidence(
            tx,
            call,
            { row: evidence, tags, policies: await policiesOf(tx, [id]) },
            change,
          )
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
      }),

    ofEvidence: async (call, tenant, evidenceId) => {
      const { evidence } = await reach(db.read, call, tenant, evidenceId, 'View')
      return ofEvidence(tenant, evidence.evidence_id)
    },

    request: async (call, tenant, evidenceId) => {
      const id = await db.transaction(async (tx) => {
        const { evidence } = await reach(tx, call, tenant, evidenceId, 'Edit')
        await needed(tx, tenant)
        if (evidence.state !== 'UserCompleted')
          throw fault('EvidenceNotCompleted', 'This evidence is not complete yet. It is forwarded when it is.')
        const originals = await rows.originalsOf(tx, evidence.evidence_id)
        const item = await rows.itemOf(tx, evidence.evidence_id)
        const wish = { state: 'waiting', requested: 1, attempts: 0, next_at: 0 } as const
        if (item === undefined)
          await rows.insertItem(tx, {
            ...wish,
            evidence_id: evidence.evidence_id,
            tenant_id: tenant,
            ground: 'requested',
            created_at: Date.parse(evidence.created_utc),
            bytes: originals.reduce((sum, { length }) => sum + (length ?? 0), 0),
            queued_at: clock.now(),
          })
        else if (item.state !== 'done' || item.sent_concurrency_id !== evidence.concurrency_id)
          await rows.changeItem(tx, evidence.evidence_id, {
            ...wish,
            queued_at: Math.max(clock.now(), item.queued_at + 1),
          })
        await ledger.append(tx, call, { action: 'forwarding.requested', object: evidenceObject(evidence) })
        return evidence.evidence_id
      })
      return ofEvidence(tenant, id)
    },

    fetch: async (call, tenant, evidenceId, resourceId) => {
      const { evidence, resource } = await reachRows(call, 'View', { tenant, evidenceId, resourceId })
      const row = resource as ResourceRow
      await db.transaction(async (tx) => {
        await reach(tx, call, tenant, evidenceId, 'View')
        const receipt = await rows.receiptOf(tx, row.resource_id)
        if (receipt !== undefined && (await rows.forwardedBlob(tx, receipt.sha256)) !== undefined) {
          await needed(tx, tenant)
          await jobs.enqueue(tx, fetchJob(row.resource_id))
        }
        await ledger.append(tx, call, {
          action: 'resource.fetchRequested',
          object: resourceObject(row),
          detail: { evidenceId: String(evidence.evidence_id), address: receipt?.address ?? null },
        })
      })
      jobs.kick()
      return ofEvidence(tenant, evidence.evidence_id)
    },
  }
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
