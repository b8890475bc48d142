/** What the platform makes of what comes in (interfaces.md 1, decisions 6): by content, beside the original, which stays as it is. */
import type { ConnectionFile, Json } from './client.ts'
import { policyOf } from './departments.ts'
import { listed } from './documents.ts'
import { newEvidence, newFile, sha256, whole } from './evidence.ts'
import type { Run, Sent } from './run.ts'
import { list, ResourceRecord } from './shapes.ts'

const DERIVED = 'decisions 6, derivation'

/** One second of grey, H.264 in a QuickTime file whose index stands at its end: no browser plays it as it is. */
const FILM = Buffer.from(
  'AAAAFGZ0eXBxdCAgAAACAHF0ICAAAAAId2lkZQAAADxtZGF0AAAACmWIhDomKAyddeAAAAAFQZogPosAAAAFQZpAPosAAAAGQZpgEKLAAAAABkGa' +
    'gBCiwAAAAuxtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAD6AABAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAA' +
    'AAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACeHRyYWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAD6AAAAAAAAAAA' +
    'AAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAIAAAACAAAAAAACRlZHRzAAAAHGVsc3QAAAAAAAAAAQAAA+gAAAAA' +
    'AAEAAAAAAfBtZGlhAAAAIG1kaGQAAAAAAAAAAAAAAAAAACgAAAAoAH//AAAAAAAtaGRscgAAAABtaGxydmlkZQAAAAAAAAAAAAAAAAxWaWRlb0hh' +
    'bmRsZXIAAAGbbWluZgAAABR2bWhkAAAAAQAAAAAAAAAAAAAALGhkbHIAAAAAZGhscnVybCAAAAAAAAAAAAAAAAALRGF0YUhhbmRsZXIAAAAkZGlu' +
    'ZgAAABxkcmVmAAAAAAAAAAEAAAAMdXJsIAAAAAEAAAEvc3RibAAAAKNzdHNkAAAAAAAAAAEAAACTYXZjMQAAAAAAAAABAAAAAEZGTVAAAAIAAAAC' +
    'AAAgACAASAAAAEgAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABj//wAAAC1hdmNDAULACv/hABZnQsAK2iWwEQAAAwAB' +
    'AAADAAoPEiagAQAEaM4PyAAAABBwYXNwAAAAAQAAAAEAAAAYc3R0cwAAAAAAAAABAAAABQAACAAAAAAUc3RzcwAAAAAAAAABAAAAAQAAABxzdHNj' +
    'AAAAAAAAAAEAAAABAAAABQAAAAEAAAAoc3RzegAAAAAAAAAAAAAABQAAAA4AAAAJAAAACQAAAAoAAAAKAAAAFHN0Y28AAAAAAAAAAQAAACQ=',
  'base64',
)

interface Viewer {
  readonly token: string
  readonly connection: ConnectionFile
}

/** @param viewer somebody else, to whom it is shown at View */
export async function driveDerivation(run: Run, patience: number, viewer: Viewer | null): Promise<void> {
  const { EvidenceId: evidenceId } = await newEvidence(run, 'with a film')
  const film = await newFile(run, evidenceId, { Name: 'film.mov', MimeType: 'video/quicktime' }, FILM)
  const mp4 = await playable(run, evidenceId, film, patience)
  if (mp4 === null) return
  const bytes = await untouched(run, evidenceId, film, mp4)
  if (viewer !== null) await viewed(run, evidenceId, film, mp4, viewer)
  if (bytes !== null) await already(run, bytes, patience)
  await byContent(run, patience)
}

const isMp4 = (of: string) => (one: Json) => one.Parent === of && one.MimeType === 'video/mp4'
const isAtWork = ({ Processing = [] }: Json): boolean =>
  Processing.some(({ State }: Json) => State === 'queued' || State === 'running')

/** Until nothing is at work any more, or for as long as was given. */
async function settled(run: Run, place: Sent, patience: number): Promise<void> {
  const until = Date.now() + patience
  for (let all = await listed(run, place); Date.now() < until && all.some(isAtWork); all = await listed(run, place))
    await new Promise((resolve) => setTimeout(resolve, 300))
}

/** @returns the appended MP4, or null where it is not as specified */
async function playable(run: Run, evidenceId: string, original: Json, patience: number): Promise<Json | null> {
  const place = { with: { evidenceId } }
  await settled(run, place, patience)
  const found = await run.call('ListResources', 'a browser-compatible MP4 was appended', place, {
    status: 200,
    shape: list(ResourceRecord),
    section: DERIVED,
    and: (all) => {
      const mp4 = all.find(isMp4(original.ResourceId))
      if (mp4 === undefined) return `there is none after at most ${patience / 1000} s`
      const { Username, PrincipalId } = mp4.UploadedBy
      if (Username !== 'internal' || PrincipalId !== '0') return `it was uploaded by ${Username}`
      const { Tool, Version, Arguments, InputSha256 } = mp4.Derivation ?? {}
      const told = typeof Tool === 'string' && typeof Version === 'string' && Array.isArray(Arguments)
      return told && InputSha256 === original.Sha256 ? null : 'it does not say how it was made, and of what'
    },
  })
  return found?.json.find(isMp4(original.ResourceId)) ?? null
}

/** Types of the boxes of an MP4, in their order. */
function boxesOf(bytes: Buffer): string[] {
  const types: string[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    types.push(bytes.toString('latin1', at + 4, at + 8))
    if (length < 8) break
    at += length
  }
  return types
}

/** @returns the bytes of the MP4 */
async function untouched(run: Run, evidenceId: string, film: Json, mp4: Json): Promise<Buffer | null> {
  const { call } = run
  const at = (resource: Json) => ({ with: { evidenceId, resourceId: resource.ResourceId } })
  await call('GetContent', 'the original is as it came', at(film), {
    status: 200,
    section: DERIVED,
    and: (_json, { bytes }) => (sha256(bytes) === sha256(FILM) ? null : 'the bytes are others'),
  })
  const reply = await call(
    'GetContent',
    'the MP4, its index first',
    { ...at(mp4), query: { purpose: 'play' } },
    {
      status: 200,
      section: DERIVED,
      and: (_json, { bytes, headers }) => {
        const boxes = boxesOf(Buffer.from(bytes))
        if (headers.get('content-type') !== 'video/mp4') return `it is ${headers.get('content-type')}`
        return boxes[0] === 'ftyp' && boxes.includes('moov') && boxes.indexOf('moov') < boxes.indexOf('mdat')
          ? null
          : `its boxes are ${boxes.join(' ')}`
      },
    },
  )
  return reply === null ? null : Buffer.from(reply.bytes)
}

/** At View the MP4 plays, and the original is not handed out. */
async function viewed(run: Run, evidenceId: string, film: Json, mp4: Json, viewer: Viewer): Promise<void> {
  const { call, needed } = run
  const place = { with: { evidenceId } }
  const { json: record } = await needed('GetEvidence', 'to be shown to another', place, whole)
  const { ConcurrencyId, AccessPolicies } = record
  const body = { AccessPolicies: [...AccessPolicies, policyOf(viewer.connection, 'View')], ConcurrencyId }
  await needed(
    'UpdateEvidence',
    'View for another',
    { ...place, body },
    { ...whole, section: 'decisions 6, PATCH evidence' },
  )
  const at = (resource: Json): Sent => ({
    with: { evidenceId, resourceId: resource.ResourceId },
    token: viewer.token,
  })
  const LEVELS = 'decisions 6, content'
  await call(
    'GetContent',
    'purpose=play of the MP4, with View',
    { ...at(mp4), query: { purpose: 'play' } },
    {
      status: 200,
      section: LEVELS,
    },
  )
  for (const [what, resource] of [
    ['the MP4', mp4],
    ['the original', film],
  ] as const)
    await call('GetContent', `${what} to keep, with View`, at(resource), {
      status: 403,
      code: 'Forbidden',
      section: LEVELS,
    })
}

/** What plays as it is shares its blob. */
async function already(run: Run, bytes: Buffer, patience: number): Promise<void> {
  const { EvidenceId: evidenceId } = await newEvidence(run, 'with a film that plays as it is')
  const original = await newFile(run, evidenceId, { Name: 'film.mp4', MimeType: 'video/mp4' }, bytes)
  const place = { with: { evidenceId } }
  await settled(run, place, patience)
  await run.call('ListResources', 'an original that is one already: Tool identity, the same bytes', place, {
    status: 200,
    shape: list(ResourceRecord),
    section: DERIVED,
    and: (all) => {
      const mp4 = all.find(isMp4(original.ResourceId))
      if (mp4 === undefined) return 'there is none'
      return mp4.Derivation.Tool === 'identity' && mp4.Sha256 === original.Sha256
        ? null
        : `it was made by ${mp4.Derivation.Tool}`
    },
  })
}

/** By content and not by name: what is called a film and is a text stays alone. */
async function byContent(run: Run, patience: number): Promise<void> {
  const { EvidenceId: evidenceId } = await newEvidence(run, 'with a text that is called a film')
  const text = Buffer.from('This is no film.\n')
  await newFile(run, evidenceId, { Name: 'film.mp4', MimeType: 'video/mp4' }, text)
  const place = { with: { evidenceId } }
  await settled(run, place, patience)
  await run.call('ListResources', 'a text that is called a film: nothing is made of it', place, {
    status: 200,
    shape: list(ResourceRecord),
    section: DERIVED,
    and: (all) =>
      all.length === 1 && all[0].State === 'UserCompleted' && all[0].Sha256 === sha256(text)
        ? null
        : `there are ${all.length} resources`,
  })
}
