/** Finds where the server appends to the ledger and says how an append is taken out, to see whether any test misses it (I1). */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { replaceParts, ROOT } from '../guards/product-copy.ts'
import { filesOf, type Place, type Switched, type Switching } from '../guards/switched-copy.ts'
import { children, lineOf, type Node, nameOf, numbered, parsed } from '../guards/syntax.ts'

/** A call that appends. Its text is its way to the ledger and the action, where that is written beside the call. */
export interface Append extends Place {
  /** Of the way to the ledger, which stands before the name of the function. */
  readonly start: number
  readonly end: number
  /** What the entry says happened. */
  readonly action: string
}

/** Every source of the server. */
export const SERVER = ['server/**/*.ts']
const APPENDS_BY = new Set(['append', 'record', 'tally'])
const ACTION = /^[^;]{0,160}?action:[^;']{0,60}'(\w+\.[\w.]+)'/

export function appendsOf(file: string, source: string): Append[] {
  const found: Omit<Append, 'at'>[] = []
  const visit = (node: Node): void => {
    for (const child of children(node)) visit(child)
    const callee = node.type === 'CallExpression' ? (node['callee'] as Node) : null
    if (callee?.type !== 'MemberExpression' || !APPENDS_BY.has(nameOf(callee))) return
    const ledger = callee['object'] as Node
    if (nameOf(ledger) !== 'ledger') return
    const action = ACTION.exec(source.slice(ledger.start))?.[1] ?? ''
    const { start, end } = ledger
    const text = `${source.slice(start, end).replaceAll(/\s+/g, '')}.${nameOf(callee)}(${action})`
    found.push({ text, action, line: lineOf(source, start), start, end })
  }
  visit(parsed(file, source))
  return numbered(found)
}

/** Every place of the server that appends, in the order of files and lines. */
export const callSites = (): (Append & Pick<Switched<Append>, 'file'>)[] =>
  filesOf(SERVER, ROOT).flatMap((file) =>
    appendsOf(file, readFileSync(path.join(ROOT, file), 'utf8')).map((found) => ({ ...found, file })),
  )

/** What is out takes what the ledger takes, and writes nothing. */
const MODULE = `
const nothing = () => Promise.resolve({ seq: 0, hash: '' })
const silent = { append: nothing, record: nothing, tally: nothing }
export function ledgerOr(id, ledger) {
  note(id)
  return isIn(id) ? ledger : silent
}
`

function withSwitches(file: string, source: string, ids: readonly string[], importFrom: string): string {
  if (/\bledgerOr\b/.test(source)) throw new Error(`${file} has a ledgerOr of its own`)
  const parts = appendsOf(file, source).flatMap(({ start, end }, at) => [
    { start, end: start, instead: `ledgerOr('${ids[at]}', ` },
    { start: end, end, instead: ')' },
  ])
  return `import { ledgerOr } from '${importFrom}'; ${replaceParts(source, parts)}`
}

export const APPENDS: Switching<Append> = {
  module: MODULE,
  notes: [(id) => id],
  told: /\bI1\b|\bentr(?:y|ies)\b|\bledger\b/,
  mayLoop: false,
  find: appendsOf,
  rewrite: withSwitches,
}

/** Between them they call every append. A run of all of them says which test may miss which. */
export const SUITES: readonly string[] = [
  'test/api/documents/audit.test.ts',
  'test/api/annotations/exports.test.ts',
  'test/api/blobs/encrypted.test.ts',
  'test/api/cases/case-acts.test.ts',
  'test/api/cases/cases.test.ts',
  'test/api/cases/categories.test.ts',
  'test/api/cases/default-department.test.ts',
  'test/api/cases/departments.test.ts',
  'test/api/cases/prefilled-fields.test.ts',
  'test/api/devices/associations.test.ts',
  'test/api/devices/configurations.test.ts',
  'test/api/devices/devices.test.ts',
  'test/api/devices/register.test.ts',
  'test/api/devices/take.test.ts',
  'test/api/disclosure/papers.test.ts',
  'test/api/disposition/disposition.test.ts',
  'test/api/documents/audit-station.test.ts',
  'test/api/documents/change-history.test.ts',
  'test/api/documents/change.test.ts',
  'test/api/documents/clips.test.ts',
  'test/api/documents/evidence-acts.test.ts',
  'test/api/documents/fixity.test.ts',
  'test/api/documents/playbacks.test.ts',
  'test/api/documents/resources.test.ts',
  'test/api/integrity/copies.test.ts',
  'test/api/integrity/fixity.test.ts',
  'test/api/jobs/jobs.test.ts',
  'test/api/packages/packages.test.ts',
  'test/api/reports/documents.test.ts',
  'test/api/sample/sample.test.ts',
  'test/api/sessions/attempts.test.ts',
  'test/api/sessions/authorization.test.ts',
  'test/api/sessions/cookie.test.ts',
  'test/api/sessions/own-access.test.ts',
  'test/api/sessions/passkeys.test.ts',
  'test/api/sessions/second-step.test.ts',
  'test/api/sessions/sessions.test.ts',
  'test/api/sessions/setup.test.ts',
  'test/api/share-links/share-links.test.ts',
  'test/api/tokens/assertions.test.ts',
  'test/api/users/containment.test.ts',
  'test/api/users/groups.test.ts',
  'test/api/users/guards.test.ts',
  'test/api/users/people.test.ts',
  'test/api/users/policies.test.ts',
  'test/api/users/services.test.ts',
  'test/api/users/trail.test.ts',
  'test/api/users/users.test.ts',
  'test/backup/restore.test.ts',
  'test/backup/tampering.test.ts',
  'test/cli/backup.test.ts',
  'test/cli/start-check.test.ts',
  'test/correlation/orders.test.ts',
  'test/custody/checkpoints.test.ts',
  'test/custody/ledger.test.ts',
  'test/custody/received.test.ts',
  'test/custody/tenant-keys.test.ts',
  'test/disposition/account-control.test.ts',
  'test/disposition/destruction.test.ts',
  'test/disposition/quarantine.test.ts',
  'test/dock/clear.test.ts',
  'test/dock/differs.test.ts',
  'test/dock/recordings.test.ts',
  'test/dock/session.test.ts',
  'test/forwarding/changes.test.ts',
  'test/forwarding/clearing.test.ts',
  'test/forwarding/forward.test.ts',
  'test/forwarding/refusals.test.ts',
  'test/packages/cosignatures.test.ts',
  'test/packages/export.test.ts',
  'test/packages/import-package.test.ts',
  'test/packages/making.test.ts',
  'test/packages/papers.test.ts',
  'test/store/move-entry.test.ts',
  'test/validation/service.test.ts',
  'test/validation/validate.test.ts',
]
