/**
 * What disclosure has to say about a package: which evidence may not leave, what stands on the schedule that goes along, and which numbers are kept with the
 * entry that records the package. Supplied to the packages by `server/app.ts`.
 */
import type { ItemKind, PackageVariant } from '../../../shared/packages/kinds.ts'
import type { Series } from '../../../shared/disclosure/kinds.ts'
import type { Tx } from '../../kernel/database/database.ts'
import type { ScheduleNumbersTable } from '../../kernel/database/tables-disclosure.ts'
import type { Language } from '../../platform/pdf/paper-words.ts'
import { drawWholeOnThread } from '../../platform/pdf/papers/drawing-thread.ts'
import { said } from '../../platform/pdf/papers/paper.ts'
import { personThen } from './disclosure.models.ts'
import { evidenceByIds } from './disclosure.store.ts'
import { restrictedLine } from './new-record.ts'
import { keepNumbers, numbered, subjectOf } from './numbering.ts'
import { disclosureWords, scheduleCsv, schedulePaper } from './papers/schedule.ts'
import { type RestrictionRow, standingAmong } from './restrictions.store.ts'

export interface AboutPackage {
  /** Null: a selection of evidence. Its list is numbered as the package, since the numbers of a case are those of no selection. */
  readonly caseId: number | null
  readonly caseTitle: string
  readonly variant: PackageVariant
  readonly language: Language
  readonly packageId: string
  readonly madeUtc: string
  readonly items: readonly {
    readonly no: number
    readonly kind: ItemKind
    readonly path: string
    readonly evidenceId: string
    readonly resourceId: string
    readonly bytes: number
    readonly sha256: string
  }[]
  /** Evidence of the case that is not in it, since it is restricted. */
  readonly withheld: readonly number[]
}

export interface DescribedPackage {
  /** That the recipient is told of. */
  readonly withheld: readonly {
    readonly no: number
    readonly description: string
    readonly ground: string
    readonly decidedBy: string
    readonly sensitive: boolean
  }[]
  /** How many more the recipient may know to exist. */
  readonly unnamed: number
  readonly files: readonly (readonly [path: string, content: string | Uint8Array])[]
  readonly numbers: readonly ScheduleNumbersTable[]
}

interface Deps {
  readonly stationName: string
  readonly timeZone: string
  /** Whether the defence may know how many items are withheld on the schedule of sensitive material. */
  readonly defenceKnowsCount: boolean
}

export function createPackageGate(deps: Deps) {
  return {
    /** Of these, evidence that may not leave the station, with the kinds of its restrictions. */
    restrictedAmong: async (from: Tx, evidenceIds: readonly number[]): Promise<Map<number, readonly string[]>> =>
      new Map([...(await standingAmong(from, evidenceIds))].map(([id, some]) => [id, some.map(({ kind }) => kind)])),
    tellsCount: (variant: PackageVariant): boolean => variant !== 'defence' || deps.defenceKnowsCount,
    describe: (from: Tx, about: AboutPackage): Promise<DescribedPackage> => describe(deps, from, about),
    /** In the transaction that records the package. @returns false when numbers were taken since: the schedule in it is wrong */
    settle: (tx: Tx, { numbers }: DescribedPackage): Promise<boolean> => keepNumbers(tx, numbers),
  }
}

const describe = (deps: Deps, from: Tx, about: AboutPackage): Promise<DescribedPackage> =>
  about.caseId === null
    ? describeSelection(deps, about)
    : describeOfCase(deps, from, { ...about, caseId: about.caseId })

const filesOf = async (
  deps: Deps,
  about: AboutPackage,
  schedule: Schedule,
  series: readonly Series[],
): Promise<DescribedPackage['files']> => [
  ['forms/schedule.csv', scheduleCsv(schedule, series)],
  ['forms/schedule.pdf', await schedulePdf(deps, about, schedule, series)],
]

async function describeSelection(deps: Deps, about: AboutPackage): Promise<DescribedPackage> {
  const given = about.items.map((item) => givenLine(item, item.no))
  return { withheld: [], unnamed: 0, files: await filesOf(deps, about, { given, held: [] }, ['list']), numbers: [] }
}

const givenLine = ({ path, kind, bytes, sha256 }: AboutPackage['items'][number], number: number) => ({
  number,
  file: path.slice('data/'.length),
  kind,
  bytes,
  sha256,
})

async function describeOfCase(
  deps: Deps,
  from: Tx,
  about: AboutPackage & { readonly caseId: number },
): Promise<DescribedPackage> {
  const { caseId, items, variant } = about
  const restricted = await standingAmong(from, about.withheld)
  const lines = (await evidenceByIds(from, about.withheld))
    .sort((a, b) => a.evidence_id - b.evidence_id)
    .flatMap((one) => {
      const [first, ...more] = restricted.get(one.evidence_id) ?? []
      // Lifted a moment ago: it is not in the package, and says so in the next one.
      return first === undefined ? [] : [restrictedLine(one, [first, ...more] as [RestrictionRow, ...RestrictionRow[]])]
    })
  const numberedBy = new Map(items.filter(({ kind }) => kind !== 'copy').map((item) => [item.no, item]))
  const subjects = items.map((item) => {
    const own = numberedBy.get(item.no) ?? item
    return subjectOf(Number(own.evidenceId), Number(own.resourceId))
  })
  const list = await numbered(from, caseId, 'list', subjects)
  // The schedule of sensitive material is in nothing for the defence. What stands on no schedule gets no number.
  const series: readonly Series[] = variant === 'defence' ? ['list'] : ['list', 'MG6D']
  const shown = variant === 'defence' ? [] : lines
  const held = await numbered(
    from,
    caseId,
    'MG6D',
    shown.map(({ subject }) => subject),
  )
  const schedule = {
    given: items.map((item, at) => givenLine(item, list.numbers.get(subjects[at] as string) as number)),
    held: shown.map((line) => ({
      basis: line.basis,
      number: held.numbers.get(line.subject) as number,
      description: line.description,
      ground: line.ground,
      reasons: line.reasons,
      decidedBy: personThen(line.decided_by).Username,
    })),
  }
  return {
    withheld: schedule.held.map((line) => ({ ...line, no: line.number, sensitive: true })),
    unnamed: variant === 'defence' && deps.defenceKnowsCount ? lines.length : 0,
    files: await filesOf(deps, about, schedule, series),
    numbers: [...list.added, ...held.added],
  }
}

type Schedule = Parameters<typeof schedulePaper>[0]

function schedulePdf(
  { stationName, timeZone }: Deps,
  { language, packageId, caseTitle, madeUtc }: AboutPackage,
  lines: Schedule,
  series: readonly Series[],
): Promise<Buffer> {
  const words = disclosureWords(language, timeZone)
  const { say } = words
  const paper = schedulePaper(lines, series, {
    title: say('packageSchedule'),
    about: [
      {
        kind: 'facts',
        facts: [
          [say('station'), said(stationName)],
          ...(caseTitle === '' ? [] : ([[say('case'), said(caseTitle)]] as const)),
          [say('package'), said(packageId)],
        ],
      },
    ],
    station: stationName,
    words,
    seq: null,
  })
  return drawWholeOnThread(paper, {
    author: stationName,
    language,
    paper: 'a4',
    embedded: true,
    made: new Date(madeUtc),
    foot: packageId,
  })
}
