/** The custody record that a station sends along with an evidence, over a real ledger with real keys: tree heads and proofs of inclusion. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeCustodyRecord, openCustodyRecord } from '../../server/features/forwarding/custody.ts'
import { leafHash } from '../../server/kernel/ledger/format.ts'
import { LedgerDiffers } from '../../server/kernel/ledger/signed-head.ts'
import { isIncluded, proofLine } from '../../server/kernel/ledger/inclusion-proof.ts'
import { compactRange } from '../../server/kernel/ledger/merkle.ts'
import { ed25519PublicKey, keyIdOf, signCheckpoint } from '../../server/kernel/ledger/signed-note.ts'
import { createLedgerTree } from '../../server/kernel/ledger/tree.ts'
import { bytesOfText, textOfBytes } from '../support/rows.ts'
import { intrude, makeWorld, officer, openWorld, ORIGIN, read, type World, writeEntries } from './world.ts'

/** More than three blocks of the tree. */
const WRITTEN = 3500
const EVIDENCE = 7

const makerOf = (world: World) => ({
  db: world.db,
  tree: createLedgerTree(world.db),
  origin: ORIGIN,
  signer: world.keys.signing.current(),
  between: () => {},
})
const keyOf = (world: World): Uint8Array => world.keys.signing.current().publicKey
/** The lines, the signature, the text and the signature of the tree head, and the proofs. */
const partsOf = (text: string): string[] => text.split('\n\n')

async function filled(world: World): Promise<void> {
  writeEntries(world.file, WRITTEN)
  for (let count = 0; count < 5; count++) await world.ledger.record(officer(), read(EVIDENCE))
}

describe('I4 the tree over the ledger', () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
    await filled(world)
  })
  afterAll(() => world.remove())

  it('has the root of its entries, and proofs that hold, at every size and in any order of calls', async () => {
    const tree = createLedgerTree(world.db)
    const leaves = (
      await world.db.read.selectFrom('ledger').select('leaf').orderBy('seq').limit(WRITTEN).execute()
    ).map(({ leaf }) => leaf)
    const edges = [1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 3072, WRITTEN]
    const sizes = fc.oneof(fc.constantFrom(...edges), fc.integer({ min: 1, max: WRITTEN }))
    const run = async (size: number, drawn: readonly number[]): Promise<void> => {
      const range = compactRange()
      for (const leaf of leaves.slice(0, size)) range.append(leaf)
      const at = await tree.at(size)
      expect(Buffer.from(at.root)).toEqual(Buffer.from(range.root()))
      const seqs = [1, size, ...drawn.map((one) => (one % size) + 1)]
      const proofs = await at.prove(seqs)
      expect(proofs.map(({ seq }) => seq)).toEqual(seqs)
      for (const proof of proofs) {
        expect(Buffer.from(proof.leaf)).toEqual(Buffer.from(leaves[proof.seq - 1] as Uint8Array))
        expect(isIncluded(proof, at.root)).toBe(true)
      }
    }
    for (const size of edges.toReversed()) await run(size, [])
    await fc.assert(fc.asyncProperty(sizes, fc.array(fc.nat(), { maxLength: 5 }), run), { numRuns: 40 })
    // Calls that come at once.
    await Promise.all(edges.map((size) => run(size, [size])))
  })

  it('S19: has no root over more entries than there are, and no proof of a later entry', async () => {
    const { seq } = await world.ledger.head()
    await expect(createLedgerTree(world.db).at(seq + 1)).rejects.toThrow(`no entry ${seq + 1}`)
    const at = await createLedgerTree(world.db).at(10)
    await expect(at.prove([11])).rejects.toThrow('not among')
  })
})

describe('I4 a custody record', () => {
  let world: World
  let text: string
  beforeAll(async () => {
    world = await makeWorld()
    await filled(world)
    text = (await makeCustodyRecord(makerOf(world), EVIDENCE)).text
  })
  afterAll(() => world.remove())
  const open = (changed: string) => openCustodyRecord(changed, keyOf(world))

  it('has a tree head that covers its last line, and a proof for each', async () => {
    const { head, isProved, lines } = open(text)
    expect(isProved).toBe(true)
    expect(head).toMatchObject({ origin: ORIGIN, size: lines.at(-1)?.seq })
    expect(lines.map(({ action }) => action)).toContain('evidence.read')
    expect(lines.length).toBeGreaterThan(5)
  })

  it('takes the newest checkpoint where that covers its lines', async () => {
    const own = await openWorld()
    await filled(own)
    await own.ledger.record(officer(), read(8))
    const taken = await own.checkpoints.take('hour')
    const record = await makeCustodyRecord(makerOf(own), EVIDENCE)
    expect(record.text).toContain(taken?.note)
    expect(openCustodyRecord(record.text, keyOf(own))).toMatchObject({ isProved: true, head: { size: taken?.size } })
  })

  it('is checked by a shell with sha256sum and openssl alone', async () => {
    const [lines = '', , note = '', signed = '', proofs = ''] = partsOf(text)
    const file = (name: string): string => path.join(world.dir, name)
    writeFileSync(file('custody.jsonl'), `${lines}\n`)
    writeFileSync(file('proofs.txt'), proofs)
    writeFileSync(file('checkpoint.body'), `${note}\n`)
    writeFileSync(file('checkpoint.sig'), Buffer.from(signed.split(' ')[2] ?? '', 'base64').subarray(4))
    writeFileSync(
      file('ledger-pub.pem'),
      ed25519PublicKey(keyOf(world)).export({ type: 'spki', format: 'pem' }) as string,
    )
    const script = `set -eu
      openssl pkeyutl -verify -pubin -inkey ledger-pub.pem -rawin -in checkpoint.body -sigfile checkpoint.sig
      root=$(sed -n 3p checkpoint.body | base64 -d | basenc --base16 -w0 | tr A-F a-f)
      exec 3<custody.jsonl 4<proofs.txt
      while IFS= read -r line <&3; do
        read -r seq index size leaf steps <&4
        value=$({ printf '\\000'; printf '%s' "$line"; } | sha256sum | cut -d' ' -f1)
        [ "$value" = "$leaf" ] || { echo "entry $seq differs"; exit 1; }
        set -- $steps
        while [ $# -gt 0 ]; do
          if [ "$1" = L ]; then pair=$2$value; else pair=$value$2; fi
          value=$({ printf '\\001'; printf '%s' "$pair" | tr a-f A-F | basenc --base16 -d; } | sha256sum | cut -d' ' -f1)
          shift 2
        done
        [ "$value" = "$root" ] || { echo "entry $seq is not in the tree"; exit 1; }
        echo "entry $seq holds"
      done`
    const said = execFileSync('sh', ['-c', script], { cwd: world.dir, encoding: 'utf8' })
    const held = open(text).lines.map(({ seq }) => `entry ${seq} holds`)
    expect(said.trimEnd().split('\n')).toEqual(['Signature Verified Successfully', ...held])
  })

  it('of an older program has no proofs, and says so', () => {
    expect(open(`${partsOf(text).slice(0, 4).join('\n\n')}\n`)).toMatchObject({
      isProved: false,
      head: { origin: ORIGIN },
    })
    const [lines, signature] = partsOf(text)
    expect(open(`${lines}\n\n${signature}\n`)).toMatchObject({ isProved: false, head: null })
  })

  const changedProofs = (change: (proofs: string[]) => readonly string[]): string => {
    const parts = partsOf(text)
    const proofs = (parts[4] as string).trimEnd().split('\n')
    return [...parts.slice(0, 4), `${change(proofs).join('\n')}\n`].join('\n\n')
  }
  const withHead = (note: string): string => {
    const parts = partsOf(text)
    return `${parts.slice(0, 2).join('\n\n')}\n\n${note}\n${parts[4]}`
  }
  it.each<[string, () => string, string]>([
    ['a proof is missing', () => changedProofs((all) => all.slice(1)), 'lines, and'],
    ['all proofs are empty', () => changedProofs(() => []), 'no line of proof'],
    ['a proof is there twice', () => changedProofs((all) => [all[0] as string, ...all]), 'lines, and'],
    [
      'two proofs are swapped',
      () => changedProofs(([a, b, ...more]) => [b as string, a as string, ...more]),
      'does not hold',
    ],
    [
      'a step is another hash',
      () => changedProofs(([a, ...more]) => [`${a?.slice(0, -64)}${'0'.repeat(64)}`, ...more]),
      'does not hold',
    ],
    [
      'a side is the other one',
      () => changedProofs(([a, ...more]) => [(a as string).replace(' R ', ' L '), ...more]),
      'no line of proof',
    ],
    ['there is more after the proofs', () => `${text}\n\nmore`, 'no custody record'],
    [
      'the tree head is one over other entries',
      () =>
        withHead(
          signCheckpoint(
            { origin: ORIGIN, size: open(text).head?.size ?? 0, root: new Uint8Array(32) },
            world.keys.signing.current(),
          ),
        ),
      'does not hold',
    ],
    [
      'the tree head is one of another size',
      () =>
        withHead(
          signCheckpoint(
            { origin: ORIGIN, size: 4000, root: open(text).head?.root ?? new Uint8Array(32) },
            world.keys.signing.current(),
          ),
        ),
      'does not hold',
    ],
    [
      'the tree head is one of another station',
      () =>
        withHead(
          signCheckpoint(
            {
              origin: 'station-8.example',
              size: open(text).head?.size ?? 0,
              root: open(text).head?.root ?? new Uint8Array(32),
            },
            world.keys.signing.current(),
          ),
        ),
      'station-8.example',
    ],
  ])('S19: is refused when %s', (_, changed, message) => {
    expect(() => open(changed())).toThrow(message)
  })

  /** Two entries under a tree of their own, signed by the station: what it may write when it lies. */
  function lying(lines: readonly string[], entries: readonly string[]): string {
    const signer = world.keys.signing.current()
    const leaves = entries.map((entry) => leafHash(Buffer.from(entry)))
    const range = compactRange()
    for (const leaf of leaves) range.append(leaf)
    const body = `${lines.join('\n')}\n`
    const signature = Buffer.concat([keyIdOf(ORIGIN, signer.publicKey), signer.sign(Buffer.from(body))])
    const note = signCheckpoint({ origin: ORIGIN, size: 2, root: range.root() }, signer)
    const proofs = leaves.map((leaf, at) =>
      proofLine({ seq: at + 1, size: 2, leaf, steps: [leaves[1 - at] as Uint8Array] }),
    )
    return `${body}\n— ${ORIGIN} ${signature.toString('base64')}\n\n${note}\n${proofs.join('\n')}\n`
  }
  const entry = (seq: number, action: string): string => JSON.stringify({ seq, action })

  it('S19: is refused when the station signed lines that are not those of its tree, or stand elsewhere in it', () => {
    const [one, two] = [entry(1, 'evidence.created'), entry(2, 'evidence.read')]
    expect(open(lying([one, two], [one, two]))).toMatchObject({ isProved: true })
    expect(() => open(lying([one, entry(2, 'evidence.hidden')], [one, two]))).toThrow('proof of entry 2 does not hold')
    expect(() => open(lying([one, entry(3, 'evidence.read')], [one, entry(3, 'evidence.read')]))).toThrow(
      'proof of entry 3 does not hold',
    )
  })

  it('I4: nothing is signed over a ledger that differs from its newest checkpoint', async () => {
    const own = await openWorld()
    await filled(own)
    await own.checkpoints.take('hour')
    await own.ledger.record(officer(), read(EVIDENCE))
    intrude(own.file, (db) =>
      db.prepare('UPDATE ledger SET leaf = ? WHERE seq = 12').run(leafHash(Buffer.from('another'))),
    )
    await expect(makeCustodyRecord(makerOf(own), EVIDENCE)).rejects.toThrow(LedgerDiffers)
    await expect(makeCustodyRecord(makerOf(own), EVIDENCE)).rejects.toThrow('differs from the checkpoint')
  })

  it('I4: a line that does not fit its own leaf is not sent', async () => {
    const own = await openWorld()
    await filled(own)
    await own.checkpoints.take('hour')
    intrude(own.file, (db) =>
      db
        .prepare(
          `UPDATE ledger SET body = ${bytesOfText(`replace(${textOfBytes('body')}, 'officer.7', 'officer.8')`)} WHERE seq = ?`,
        )
        .run(EVIDENCE),
    )
    await expect(makeCustodyRecord(makerOf(own), EVIDENCE)).rejects.toThrow(`Entry ${EVIDENCE} of the ledger`)
  })
})
