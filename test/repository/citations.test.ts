/** What comments and titles of tests cite, and whether it stands in the repository. */
import { expect, it } from 'vitest'
import { type Cited, readCited, unresolvedCitations } from '../../build/scripts/citations.ts'
import { trackedTexts } from '../../build/scripts/measure.ts'

const NOTHING: Cited = { decisions: new Set(), ids: new Set(), interfaces: new Set() }

it('finds citations by number and by name', () => {
  const text = '// decisions 12, promise I3+ and habit 4\n/** As interfaces.md has it; the decision is ours. */'
  expect(unresolvedCitations('x.ts', text, NOTHING)).toEqual([
    'x.ts: decisions 12',
    'x.ts: promise I3+',
    'x.ts: habit 4',
    'x.ts: interfaces.md',
  ])
})

it('finds what a title of a test says that it shows', () => {
  const text = "it('S4, S16: a stranger', f)\nit.each(all)('H264 plays')\ndescribe(`I3+ rows`, f)\ntest('a B7 key', f)"
  expect(unresolvedCitations('x.test.ts', text, { ...NOTHING, ids: new Set(['S4']) })).toEqual([
    'x.test.ts: promise S16',
    'x.test.ts: promise I3+',
  ])
})

it('follows what stands in the documents', () => {
  const cited = readCited(
    new Map([
      ['docs/decisions/0006-documents.md', '# 0006 Documents'],
      ['docs/guarantees.md', '### I3+ Rows are compared\n### D1 Process death'],
      ['docs/reviews/2026-11.md', '### A2 A file that differs'],
      ['docs/integrate/interfaces.md', '## 4 Endpoints\n### 4.3 Documents'],
    ]),
  )
  const text = 'decisions 6, promise I3+, promise D1, promise A2, interfaces.md 4.3, interfaces.md 4, interfaces.md'
  expect(unresolvedCitations('x.ts', text, cited)).toEqual([])
  const gone = 'decisions 7, promise I3, interfaces.md 4.4, promises.md, docs/architecture.md'
  expect(unresolvedCitations('x.ts', gone, cited)).toEqual([
    'x.ts: decisions 7',
    'x.ts: promise I3',
    'x.ts: interfaces.md 4.4',
    'x.ts: promises.md',
  ])
})

it('every citation leads to a place in the documents', () => {
  const texts = trackedTexts()
  const cited = readCited(texts)
  expect([...texts].flatMap(([file, text]) => unresolvedCitations(file, text, cited))).toEqual([])
})
