/**
 * `meta/case.jsonld`: the items and what was done with them as CASE and UCO have it. Experimental: no checker for it could be obtained, so nothing
 * but this file's own test says that it fits.
 */
import type { PackagedItem } from './items.ts'

export interface CaseAction {
  readonly seq: number
  readonly timeUtc: string
  readonly action: string
  readonly actor: string
  /** Of resources in the package. */
  readonly resourceId: string
}

const CONTEXT = {
  kb: 'urn:sallyport:',
  'case-investigation': 'https://ontology.caseontology.org/case/investigation/',
  'uco-action': 'https://ontology.unifiedcyberontology.org/uco/action/',
  'uco-core': 'https://ontology.unifiedcyberontology.org/uco/core/',
  'uco-identity': 'https://ontology.unifiedcyberontology.org/uco/identity/',
  'uco-observable': 'https://ontology.unifiedcyberontology.org/uco/observable/',
  'uco-types': 'https://ontology.unifiedcyberontology.org/uco/types/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
} as const

/**
 * Its lines. A large package has more actions than memory should hold.
 * @param actors of all actions, each once
 */
export async function* caseViewLines(
  packageId: string,
  items: readonly PackagedItem[],
  actors: readonly string[],
  actions: AsyncIterable<CaseAction>,
): AsyncGenerator<string> {
  yield '{'
  yield ` "@context": ${indented(CONTEXT, 1)},`
  yield ' "@graph": ['
  // A comma stands behind each but the last.
  let waiting: object | null = null
  for await (const node of nodes(packageId, items, actors, actions)) {
    if (waiting !== null) yield `  ${indented(waiting, 2)},`
    waiting = node
  }
  if (waiting !== null) yield `  ${indented(waiting, 2)}`
  yield ' ]'
  yield '}'
}

const indented = (value: unknown, depth: number): string =>
  JSON.stringify(value, null, 1).replaceAll('\n', `\n${' '.repeat(depth)}`)

async function* nodes(
  packageId: string,
  items: readonly PackagedItem[],
  actors: readonly string[],
  actions: AsyncIterable<CaseAction>,
): AsyncGenerator<object> {
  const idOf = (item: PackagedItem): string => `kb:file-${item.resourceId}`
  const actorIds = new Map(actors.map((actor, at) => [actor, `kb:person-${at + 1}`]))
  yield {
    '@id': `kb:package-${packageId.replaceAll(/[^A-Za-z0-9]+/g, '-')}`,
    '@type': 'uco-core:Bundle',
    'uco-core:description': 'Experimental: not verified with an independent checker.',
  }
  for (const item of items)
    yield {
      '@id': idOf(item),
      '@type': 'uco-observable:ObservableObject',
      'uco-core:name': item.title,
      'uco-core:hasFacet': [
        {
          '@type': 'uco-observable:FileFacet',
          'uco-observable:fileName': item.path,
          'uco-observable:sizeInBytes': { '@type': 'xsd:integer', '@value': String(item.bytes) },
        },
        {
          '@type': 'uco-observable:ContentDataFacet',
          'uco-observable:mimeType': item.type,
          'uco-observable:hash': [
            {
              '@type': 'uco-types:Hash',
              'uco-types:hashMethod': 'SHA256',
              'uco-types:hashValue': { '@type': 'xsd:hexBinary', '@value': item.sha256.toUpperCase() },
            },
          ],
        },
      ],
    }
  for (const item of items)
    yield {
      '@id': `kb:record-${item.resourceId}`,
      '@type': 'case-investigation:ProvenanceRecord',
      'case-investigation:exhibitNumber': item.exhibit ?? String(item.no),
      'uco-core:object': [{ '@id': idOf(item) }],
    }
  for (const [actor, id] of actorIds) yield { '@id': id, '@type': 'uco-identity:Identity', 'uco-core:name': actor }
  for await (const { seq, timeUtc, action, actor, resourceId } of actions)
    yield {
      '@id': `kb:entry-${seq}`,
      '@type': 'case-investigation:InvestigativeAction',
      'uco-core:name': action,
      'uco-action:startTime': { '@type': 'xsd:dateTime', '@value': timeUtc },
      'uco-action:endTime': { '@type': 'xsd:dateTime', '@value': timeUtc },
      'uco-action:performer': { '@id': actorIds.get(actor) },
      'uco-action:object': [{ '@id': `kb:file-${resourceId}` }],
    }
}
