/** Evidence and who changes it: its owner, an officer who holds what is shared with them, and shorthands for their calls. */
import { expect } from 'vitest'
import type { StoredEntry } from '../../../server/kernel/ledger/format.ts'
import type { Json, Reply } from '../../support/given.ts'
import { type CasesWorld, casesWorld, type Person } from '../cases/world.ts'

export interface ChangeWorld extends CasesWorld {
  readonly documents: string
  /** In ManageConfiguration, AccessAuditTrail and CreateCases; makes the evidence and has Manage on it. */
  readonly owner: Person
  /** In no policy. */
  readonly officer: Person
  place(id: string): string
  evidence(body?: Record<string, unknown>, as?: Person): Promise<Json>
  /** An evidence on which the officer has this level. */
  shared(level: string, body?: Record<string, unknown>): Promise<Json>
  read(id: string, as?: Person): Promise<Json>
  patch(id: string, body: unknown, as?: Person): Promise<Reply>
  /** The record after a change that is taken. */
  changed(id: string, body: unknown, as?: Person): Promise<Json>
  history(id: string, as: Person, query?: string): Promise<Reply>
  entriesOf(reply: Reply): StoredEntry[]
}

export async function changeWorld(): Promise<ChangeWorld> {
  const world = await casesWorld()
  const { given, send } = world
  const { documents } = given
  const owner = await world.person('owner', ['ManageConfiguration', 'AccessAuditTrail', 'CreateCases'])
  const officer = await world.person('officer')
  const place = (id: string): string => `${documents}/evidence/${id}`
  const evidence: ChangeWorld['evidence'] = (body = {}, as = owner) =>
    given.expecting(201, send('POST', `${documents}/evidence`, { Name: 'Front desk', ...body }, { as }))
  const patch: ChangeWorld['patch'] = (id, body, as = owner) => send('PATCH', place(id), body, { as })
  const changed: ChangeWorld['changed'] = (id, body, as = owner) => given.expecting(200, patch(id, body, as))
  return {
    ...world,
    documents,
    owner,
    officer,
    place,
    evidence,
    shared: async (level, body) => {
      const { EvidenceId: id, ConcurrencyId, AccessPolicies } = await evidence(body)
      return changed(id, { ConcurrencyId, AccessPolicies: [...AccessPolicies, world.policy(officer, level)] })
    },
    read: (id, as = owner) => given.expecting(200, send('GET', place(id), undefined, { as })),
    patch,
    changed,
    history: (id, as, query = '') => send('GET', `${place(id)}/history${query}`, undefined, { as }),
    entriesOf: ({ correlationId }) => given.ledger().filter((entry) => entry.correlationId === correlationId),
  }
}

/** @returns the paths of its problems, sorted. */
export async function refused(reply: Promise<Reply>, status: number, code: string): Promise<string[]> {
  const { status: found, json } = await reply
  expect([found, json?.ErrorCode]).toEqual([status, code])
  return json.Details.map(({ Path }: Json) => Path).sort()
}
