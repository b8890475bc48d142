/** Quarantine is emptied by disposition alone (decisions 6): two people, a cooling-off, the ledger for ever. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HttpCall } from '../../server/http/handlers.ts'
import type { QuarantineService } from '../../server/features/retention/quarantine.service.ts'
import { createQuarantineDisposal } from '../../server/features/retention/disposition/quarantine.ts'
import { insertQuarantine } from '../../server/kernel/evidence/records.store.ts'
import { DAY, HOUR, makeWorld, type World } from './world.ts'

let world: World
let service: QuarantineService
let one: HttpCall
let two: HttpCall
let three: HttpCall
beforeAll(async () => {
  world = await makeWorld()
  service = world.quarantine
  one = await world.person()
  two = await world.person()
  three = await world.person()
})
afterAll(() => world?.close())

/** Bytes that were put aside just now. @param resourceId what they were meant for */
async function putAside(resourceId: number | null = null) {
  const put = await world.store.quarantine(await world.staged(`put aside ${Math.random()}`), 'It did not fit.')
  const { path: place, reason, sha256, length } = put
  await world.db.transaction((tx) =>
    insertQuarantine(tx, { path: place, reason, sha256, length, resourceId, createdUtc: world.now() }),
  )
  const { Items } = await service.list(one, world.tenant, { cursor: undefined, count: 1 })
  return { id: Items[0]?.QuarantineId as string, file: place, sha256: sha256 as string, length }
}
const approve = (who: HttpCall, ...ids: string[]) => service.approve(who, world.tenant, ids, 'Useless')
const found = async (id: string) =>
  (await service.list(one, world.tenant, { cursor: undefined, count: 1000 })).Items.find(
    ({ QuarantineId }) => QuarantineId === id,
  )
const isThere = (file: string): boolean => existsSync(file) && existsSync(`${file}.json`)
const acts = async (id: string) =>
  (await world.entries()).filter(({ object }) => object.type === 'quarantine' && object.id === id)
const code = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: { code?: string; reason?: string; message: string }) => error.reason ?? error.code ?? error.message,
  )

describe('emptying quarantine', () => {
  it('takes two people, a cooling-off, and as long as the recycle bin; the ledger keeps what was known', async () => {
    const { id, file, sha256, length } = await putAside()
    // Nothing goes by itself, ever.
    await world.pass(4000 * DAY)
    expect([isThere(file), (await found(id))?.Stage]).toEqual([true, 'Kept'])
    expect(await found(id)).toMatchObject({ Approvals: [], Held: null, WhyNot: null, EvidenceId: null, Sha256: sha256 })
    const [first] = await approve(one, id)
    expect(first).toMatchObject({ Stage: 'Waiting', UntilUtc: null, WhyNot: 'ApprovedAlready' })
    await world.pass(400 * DAY)
    expect(await code(approve(one, id))).toBe('CannotApproveDisposition:ApprovedAlready')
    const [second] = await approve(two, id)
    expect(second).toMatchObject({ Stage: 'CoolingOff', WhyNot: 'NotWaiting' })
    expect(await code(approve(three, id))).toBe('DispositionNotWaiting')
    await world.pass(71 * HOUR)
    expect(isThere(file)).toBe(true)
    await world.pass(2 * HOUR)
    expect([existsSync(file), existsSync(`${file}.json`), await found(id)]).toEqual([false, false, undefined])
    expect(await world.db.read.selectFrom('quarantine').selectAll().execute()).toEqual([])
    const entries = await acts(id)
    expect(entries.map(({ action }) => action)).toEqual([
      'quarantine.approved',
      'quarantine.approved',
      'quarantine.destroyed',
    ])
    expect(entries.at(-1)).toMatchObject({
      actor: { kind: 'internal' },
      sha256,
      bytes: length,
      detail: {
        setAsideFor: 'It did not fit.',
        approvals: [
          { by: { PrincipalId: one.actor.id }, reason: 'Useless' },
          { by: { PrincipalId: two.actor.id }, reason: 'Useless' },
        ],
      },
    })
    expect(await code(approve(one, id))).toBe('QuarantineNotFound')
  })

  it('no sooner than the recycle bin after they were put aside, however quickly two agree', async () => {
    const { id, file } = await putAside()
    await approve(one, id)
    await approve(two, id)
    await world.pass(6 * DAY)
    expect(isThere(file)).toBe(true)
    await world.pass(2 * DAY)
    expect(isThere(file)).toBe(false)
  })

  it('is for people who are independent of each other, and all or none', async () => {
    const maker = await world.person()
    const made = await world.person(`user:${maker.actor.id}`)
    const program = await world.person('cli:tester', 'service')
    const [first, other] = [await putAside(), await putAside()]
    expect(await code(approve(program, first.id))).toBe('CannotApproveDisposition:NotAPerson')
    await approve(maker, first.id)
    expect(await code(approve(made, first.id))).toBe('CannotApproveDisposition:MadeByApprover')
    expect(await code(approve(one, other.id, '99999'))).toBe('QuarantineNotFound')
    expect((await found(other.id))?.Stage).toBe('Kept')
  })

  it('can be taken back by one person until the last hour, and begins anew after it', async () => {
    const { id, file } = await putAside()
    expect(await code(service.keep(three, world.tenant, [id], 'An appeal'))).toBe('DispositionNotWaiting')
    await approve(one, id)
    await approve(two, id)
    await world.pass(6 * DAY)
    const [kept] = await service.keep(three, world.tenant, [id], 'An appeal')
    expect(kept).toMatchObject({ Stage: 'Kept', Approvals: [] })
    await world.pass(400 * DAY)
    expect(isThere(file)).toBe(true)
    expect((await approve(two, id))[0]).toMatchObject({ Stage: 'Waiting' })
  })

  it('what keeps the evidence keeps what was put aside of it, at the approval and at the last moment', async () => {
    const evidence = await world.evidence()
    const { id, file } = await putAside(evidence.resourceId)
    const caseId = await world.caseOf(null)
    await world.link(caseId, evidence.id)
    await world.setCase(caseId, { state: 'Open' })
    expect((await found(id))?.Held).toBe('CaseOpen')
    expect(await code(approve(one, id))).toBe('NothingToDestroy')
    await world.setCase(caseId, { state: 'Closed', closed_on: world.now() })
    await approve(one, id)
    await approve(two, id)
    await world.setEvidence(evidence.id, { lifecycle_state: 'Protected' })
    await world.pass(30 * DAY)
    expect([isThere(file), await found(id)]).toMatchObject([true, { Stage: 'Kept', Held: 'Protected' }])
    expect((await acts(id)).at(-1)).toMatchObject({ action: 'quarantine.returned', detail: { why: 'Protected' } })
  })

  it('S19: is asked again before each goes: what somebody keeps meanwhile stays', async () => {
    const [first, second] = [await putAside(), await putAside()]
    await approve(one, first.id, second.id)
    await approve(two, first.id, second.id)
    world.clock.advance(8 * DAY)
    let begin: (() => void) | undefined
    // Asked for while the first goes: the writer comes to it before the second.
    const kept = new Promise<void>((resolve) => {
      begin = resolve
    }).then(() => service.keep(three, world.tenant, [second.id], 'An appeal'))
    const disposal = createQuarantineDisposal({
      ...world,
      times: world.disposition.times,
      mayWrite: () => true,
      ledger: {
        ...world.ledger,
        append: (tx, call, entry) => {
          begin?.()
          return world.ledger.append(tx, call, entry)
        },
      },
    })
    expect(await disposal.step()).toBe(1)
    await kept
    expect([isThere(first.file), isThere(second.file)]).toEqual([false, true])
    expect(await found(second.id)).toMatchObject({ Stage: 'Kept', Approvals: [] })
  })

  it('S19: what cools off with one approval stays', async () => {
    const { id, file } = await putAside()
    await approve(one, id)
    await world.db.transaction((tx) =>
      tx
        .updateTable('disposition_items')
        .set({ stage: 'cooling', next_at: world.clock.now() })
        .where('rule_key', '=', `Quarantine:${id}`)
        .execute(),
    )
    await expect(world.pass(30 * DAY)).rejects.toThrow('is not in quarantine')
    expect(isThere(file)).toBe(true)
    await service.keep(one, world.tenant, [id], 'It should not be there')
  })

  it('S19: is found by its very id', async () => {
    const { id } = await putAside()
    for (const other of [`0${id}`, `${id}.0`]) expect(await code(approve(one, other))).toBe('QuarantineNotFound')
  })

  it('an end in between leaves nothing half: what was committed goes at the next start, and nothing else', async () => {
    const { id, file } = await putAside()
    const stays = await putAside()
    await approve(one, id)
    await approve(two, id)
    const broken = world.disposed({
      removeQuarantined: () => Promise.reject(new Error('the disk went away')),
    })
    world.clock.advance(8 * DAY)
    await expect(broken.step()).rejects.toThrow('the disk went away')
    expect([isThere(file), await found(id)]).toEqual([true, undefined])
    await world.disposed().recover()
    expect([isThere(file), isThere(stays.file)]).toEqual([false, true])
    const left = readdirSync(path.dirname(file)).filter((name) => file.endsWith(name.replace(/\.json$/, '')))
    expect(left).toEqual([])
  })
})
