import { BlobFault } from './blobs.faults.ts'
import type { ListedBlock } from './uploads.store.ts'

export type ListKind = 'Latest' | 'Committed' | 'Uncommitted'
export interface ListEntry {
  readonly kind: ListKind
  readonly id: string
}

export const MOST_LISTED = 50_000

/**
 * Reads the body of Put Block List. It accepts only this kind of document: no DTD, no entities, and no attributes except those of the
 * declaration, so that a hostile document has nothing to expand.
 * @throws BlobFault InvalidXmlDocument, BlockListTooLong
 */
export function readBlockList(xml: string): ListEntry[] {
  const bad = (): BlobFault => new BlobFault('InvalidXmlDocument')
  const rest = xml.replace(/^\uFEFF?\s*(<\?xml\s[^?<>]*\?>)?\s*/, '')
  if (/^<BlockList\s*\/>\s*$/.test(rest)) return []
  const open = /^<BlockList\s*>/.exec(rest)
  const close = /<\/BlockList\s*>\s*$/.exec(rest)
  if (open === null || close === null) throw bad()
  const entries: ListEntry[] = []
  const entry =
    /\s*(?:<!--(?:[^-]|-(?!-))*-->\s*)*(?:<(Latest|Committed|Uncommitted)>\s*([A-Za-z0-9+/=]*)\s*<\/\1\s*>)?/y
  entry.lastIndex = open[0].length
  while (entry.lastIndex < close.index) {
    const before = entry.lastIndex
    const match = entry.exec(rest)
    if (match === null || entry.lastIndex === before) throw bad()
    if (match[1] !== undefined) entries.push({ kind: match[1] as ListKind, id: match[2] as string })
    if (entries.length > MOST_LISTED) throw new BlobFault('BlockListTooLong')
  }
  return entries
}

const HEAD = '<?xml version="1.0" encoding="utf-8"?>'

/** Answer of Get Block List. Ids are base64, which needs no escaping. A list that was not requested is left out. */
export function blockListXml(lists: {
  committed?: readonly ListedBlock[]
  uncommitted?: readonly ListedBlock[]
}): string {
  const list = (name: string, blocks: readonly ListedBlock[] | undefined): string =>
    blocks === undefined
      ? ''
      : `<${name}>${blocks.map(({ id, length }) => `<Block><Name>${id}</Name><Size>${length}</Size></Block>`).join('')}</${name}>`
  return `${HEAD}<BlockList>${list('CommittedBlocks', lists.committed)}${list('UncommittedBlocks', lists.uncommitted)}</BlockList>`
}

export function errorXml(fault: BlobFault, requestId: string, now: number): string {
  return `${HEAD}<Error><Code>${fault.code}</Code><Message>${escape(fault.message)}\nRequestId:${escape(requestId)}\nTime:${new Date(now).toISOString()}</Message></Error>`
}

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
