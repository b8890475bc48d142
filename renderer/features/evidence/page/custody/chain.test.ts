import { createHash, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ACTIONS } from '../../../../../server/kernel/ledger/actions.ts'
import { evidencePage } from '../../../../../shared/evidence/page.messages.en.ts'
import { actKey } from '../../../../../shared/evidence/custody-acts.ts'
import { ACT_ICONS } from './acts.ts'
import { type ChainEntry, recompute } from './chain.ts'
import { fromHex, sha256, sha256Here, toHex } from './sha256.ts'

const NO_HASH = '0'.repeat(64)

function chain(length: number, from = 1): ChainEntry[] {
  const entries: ChainEntry[] = []
  let before = from === 1 ? NO_HASH : toHex(randomBytes(32))
  for (let seq = from; seq < from + length; seq++) {
    const body = {
      action: 'resource.read',
      actor: { id: '7', kind: 'user', name: 'Zoë', role: null },
      object: { id: '1', name: 'clip.mp4', type: 'resource' },
      outcome: 'ok',
      seq,
      timeUtc: `2026-11-20T03:00:${String(seq % 60).padStart(2, '0')}.000Z`,
    }
    const Canonical = JSON.stringify(body)
    const Hash = createHash('sha256').update(Buffer.from(before, 'hex')).update(Canonical).digest('hex')
    entries.push({
      Seq: seq,
      TimeUtc: body.timeUtc,
      Action: body.action,
      Outcome: 'ok',
      Actor: { Id: '7', Name: 'Zoë' },
      Object: { Type: 'resource', Id: '1', Name: 'clip.mp4' },
      Hash,
      PreviousHash: before,
      Canonical,
    })
    before = Hash
  }
  return entries
}

const changed = (entries: readonly ChainEntry[], seq: number, how: (entry: ChainEntry) => Partial<ChainEntry>) =>
  entries.map((entry) => (entry.Seq === seq ? { ...entry, ...how(entry) } : entry))

afterEach(() => vi.unstubAllGlobals())

describe('SHA-256 on the page', () => {
  it('is the same without WebCrypto', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(toHex(sha256Here(bytes))).toBe(createHash('sha256').update(bytes).digest('hex'))
      }),
    )
  })

  it('is made here where the page has none', async () => {
    vi.stubGlobal('crypto', {})
    expect(await sha256(new TextEncoder().encode('abc'))).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  it('hexadecimal that is none is none', () => {
    for (const bad of ['0', 'zz', '0x', ' 00']) expect(fromHex(bad)).toBeNull()
    expect(fromHex('00ff')).toEqual(Uint8Array.of(0, 255))
  })
})

describe('I3: the chain as the page recomputes it', () => {
  it('holds, in any order and with gaps', async () => {
    const entries = chain(9, 40)
    expect(await recompute([...entries].reverse())).toEqual({ checked: 9, links: 8, faults: [] })
    expect(await recompute(entries.filter(({ Seq }) => Seq !== 44))).toEqual({ checked: 8, links: 6, faults: [] })
  })

  it('names the entry whose bytes, hash, neighbour or words are others', async () => {
    const entries = chain(6)
    const faults = async (given: readonly ChainEntry[]) => (await recompute(given)).faults
    expect(
      await faults(changed(entries, 3, ({ Canonical }) => ({ Canonical: Canonical.replace('clip', 'slip') }))),
    ).toEqual([{ seq: 3, fault: 'hash' }])
    expect(await faults(changed(entries, 3, () => ({ Hash: NO_HASH })))).toEqual([
      { seq: 3, fault: 'hash' },
      { seq: 4, fault: 'link' },
    ])
    expect(await faults(changed(entries, 4, () => ({ Actor: { Id: '7', Name: 'somebody else' } })))).toEqual([
      { seq: 4, fault: 'words' },
    ])
    // An entry was taken out and the rest numbered anew, each with a right hash of its own.
    const other = chain(2, 5)
    expect(await faults([...entries.slice(0, 4), ...other])).toEqual([{ seq: 5, fault: 'link' }])
    expect(await faults(changed(entries, 2, () => ({ PreviousHash: '' })))).toContainEqual({ seq: 2, fault: 'hash' })
  })
})

describe('words of the ledger', () => {
  it('there are some for every action, and none for what is none', () => {
    expect(Object.keys(ACT_ICONS).sort()).toEqual([...ACTIONS].sort())
    const keys = Object.keys(ACT_ICONS).map((action) => actKey(action as keyof typeof ACT_ICONS))
    for (const key of keys) expect(evidencePage[key], key).toBeTruthy()
    const there = Object.keys(evidencePage).filter((key) => /^act[A-Z]/.test(key))
    expect(there.sort()).toEqual([...keys].sort())
  })
})
