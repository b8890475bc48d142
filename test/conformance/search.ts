/** The search (decisions 7): what is found by what, how it is counted, and that nobody learns of what they cannot view. */
import { LAST_ID, refusal } from './categories.ts'
import { differs, newCase } from './cases.ts'
import type { Json } from './client.ts'
import { newEvidence, newFile } from './evidence.ts'
import type { Run } from './run.ts'
import { SearchAnswer } from './shapes.ts'

/** A word that nothing else on this station has. */
export const wordOf = (run: Run): string => `conf${run.stamp}`

interface Found {
  readonly word: string
  readonly full: Json
  readonly plain: Json
}

export async function driveSearch(run: Run): Promise<void> {
  const { stamp } = run
  const word = wordOf(run)
  const full = await newEvidence(run, 'to be found', {
    Name: `Fenêtre ${word}`,
    Description: 'Broken latch at the back',
    Tags: ['night shift'],
    StartTimeUtc: '2026-11-20T02:00:00Z',
    EndTimeUtc: '2026-11-20T02:10:00Z',
    LocationText: 'Quay Road 9',
    LocationWKT: 'POINT (16.3 48.2)',
    CustomFields: { Weather: 'hailstorm' },
    Device: { DeviceType: 'BodyWornCamera', Manufacturer: 'Axonite', SerialNumber: `F-${stamp}` },
  })
  await newFile(run, full.EvidenceId, { Name: `doorstep_${stamp}.txt` }, Buffer.from(stamp))
  const plain = await newEvidence(run, 'to be found by its name alone', { Name: `Plain ${word}` })
  const found = { word, full, plain }
  await words(run, found)
  await conditions(run, found)
  await counted(run, found)
  await mistakes(run)
  await inCase(run, found)
}

const ids = ({ Hits }: Json): string[] => Hits.map(({ Id }: Json) => Id)

/** @param wanted ids, in this order */
const asked = (run: Run, request: string, body: Json, wanted: readonly string[]) =>
  run.call(
    'Search',
    request,
    { body },
    {
      status: 200,
      shape: SearchAnswer,
      and: (json) =>
        JSON.stringify(ids(json)) === JSON.stringify(wanted)
          ? differs(json, { Total: wanted.length, TotalIsAtLeast: false })
          : `found ${ids(json).join(' ') || 'nothing'}, not ${wanted.join(' ') || 'nothing'}`,
    },
  )

async function words(run: Run, { word, full }: Found): Promise<void> {
  const whole = [full.EvidenceId]
  for (const [what, Query] of [
    ['a title, without its accents and in capitals', `FENETRE ${word}`],
    ['a description', `latch ${word}`],
    ['a tag', `"night shift" ${word}`],
    ['a custom field', `hailstorm ${word}`],
    ['a location', `quay ${word}`],
    ['a file name', `doorstep_${run.stamp} ${word}`],
    ['beginnings of words', `brok* hailst* ${word}`],
    ['the beginning of the last word', `${word} fenet`],
    ['a phrase', `"broken latch" ${word}`],
  ] as const)
    await asked(run, `by ${what}`, { Query }, whole)
  await asked(run, 'a phrase the other way round', { Query: `"latch broken" ${word}` }, [])
  await asked(run, 'all words must be found', { Query: `latch zebra ${word}` }, [])
  await run.call(
    'UpdateEvidence',
    'to be found as it is now',
    {
      with: { evidenceId: full.EvidenceId },
      body: { Tags: ['day shift'] },
    },
    { status: 200 },
  )
  await asked(run, 'as it was before its change', { Query: `tag:night ${word}` }, [])
  await asked(run, 'as it is since its change', { Query: `tag:day ${word}` }, whole)
}

async function conditions(run: Run, { word, full, plain }: Found): Promise<void> {
  const whole = [full.EvidenceId]
  const both = [plain.EvidenceId, full.EvidenceId]
  const by = (what: string, more: Json, wanted: readonly string[]) => asked(run, what, { Query: word, ...more }, wanted)
  await by(
    'FromUtc: half a minute of overlap is none',
    { FromUtc: '2026-11-20T02:09:30Z', ToUtc: '2026-11-20T03:00:00Z' },
    [],
  )
  await by('FromUtc: a minute of overlap', { FromUtc: '2026-11-20T02:09:00', ToUtc: '2026-11-20T03:00:00' }, whole)
  await by('ToUtc: before it began', { FromUtc: '2026-11-19T00:00:00Z', ToUtc: '2026-11-20T01:00:00Z' }, [])
  await by('BoundingBox around it', { BoundingBox: [16, 48, 17, 49] }, whole)
  await by('BoundingBox beside it', { BoundingBox: [1, 2, 3, 4] }, [])
  await by('CustomFields', { CustomFields: [{ Name: 'Weather', Value: 'hailstorm' }] }, whole)
  await by('CustomFields of another value', { CustomFields: [{ Name: 'Weather', Value: 'fog' }] }, [])
  await by('DeviceId', { DeviceId: full.Device.ExternalId }, whole)
  await by('DeviceId of none', { DeviceId: '0'.repeat(32) }, [])
  await by('Types: no cases among them', { Types: ['Case'] }, [])
  await by('Types: evidence and cases', { Types: ['Case', 'Evidence'] }, both)
  await by('States: what is open', { States: ['None'] }, both)
  await by('States: what is complete', { States: ['UserCompleted'] }, [])
  await by('CategoryIds of none', { CategoryIds: [LAST_ID] }, [])
  await by('Unassociated: in no case', { Unassociated: true }, both)
  await by('CaseId of a case that is not there', { CaseId: LAST_ID }, [])
  await by('Sort: oldest', { Sort: 'oldest' }, both.toReversed())
  await by('Sort: newest', { Sort: 'newest' }, both)
}

/** Totals and facets of what can be viewed, page by page. */
async function counted(run: Run, { word, full, plain }: Found): Promise<void> {
  const { call, needed } = run
  const all = { status: 200, shape: SearchAnswer }
  await call(
    'Search',
    'facets count what was found',
    { body: { Query: word } },
    {
      ...all,
      and: ({ Facets }) => differs(Facets, { Types: [{ Value: 'Evidence', Count: 2 }] }),
    },
  )
  const page = { Query: word, Sort: 'oldest', Count: 1 }
  const first = await needed(
    'Search',
    'one on a page, and the total of all',
    { body: page },
    {
      ...all,
      and: (json) =>
        differs(json, { Total: 2 }) ??
        (ids(json).join() === full.EvidenceId && json.Cursor !== null ? null : 'it is not the first page'),
    },
  )
  await call(
    'Search',
    'the page that follows, by cursor',
    { body: { ...page, Cursor: first.json.Cursor } },
    {
      ...all,
      and: (json) => (ids(json).join() === plain.EvidenceId ? null : 'it is not the second page'),
    },
  )
}

async function mistakes({ call }: Run): Promise<void> {
  for (const [what, body] of [
    ['Count: 0', { Count: 0 }],
    ['Count: 1001', { Count: 1001 }],
    ['a type that is none', { Types: ['Dog'] }],
    ['a box of three numbers', { BoundingBox: [1, 2, 3] }],
    ['a box with its south in the north', { BoundingBox: [1, 5, 3, 4] }],
    ['a time that is none', { FromUtc: 'yesterday' }],
    ['a cursor of nobody', { Cursor: 'x' }],
    ['a query that is a number', { Query: 7 }],
  ] as const)
    await call('Search', what, { body }, refusal('InvalidModel'))
  await call(
    'Search',
    'a tenant that is none',
    { body: {}, tenant: 'nowhere' },
    { status: 404, code: 'TenantNotFound' },
  )
}

async function inCase(run: Run, { word, full, plain }: Found): Promise<void> {
  const made = await newCase(run, 'to be found', { Title: `Harbour ${word}`, EvidenceIds: [full.EvidenceId] })
  const by = (what: string, more: Json, wanted: readonly string[]) => asked(run, what, { Query: word, ...more }, wanted)
  await by('CaseId: its evidence', { CaseId: made.CaseId }, [full.EvidenceId])
  await by('Unassociated: without what is in a case', { Unassociated: true }, [plain.EvidenceId])
  await asked(run, 'the number of a case comes first', { Query: made.Ordinal, Types: ['Case'] }, [made.CaseId])
}

/** What somebody cannot view is not found, not counted, and in no facet. */
export async function driveSearchRights(run: Run, token: string): Promise<void> {
  await run.call(
    'Search',
    'by an account that may view none of it',
    { body: { Query: wordOf(run) }, token },
    {
      status: 200,
      shape: SearchAnswer,
      and: (json) =>
        differs(json, { Total: 0, TotalIsAtLeast: false, Hits: [], Cursor: null }) ??
        differs(json.Facets, { Types: [], Categories: [], States: [] }),
    },
  )
}
