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

export function caseView(packageId: string, items: readonly PackagedItem[], actions: readonly CaseAction[]): string {
  const idOf = (item: PackagedItem): string => `kb:file-${item.resourceId}`
  const actors = [...new Set(actions.map(({ actor }) => actor))]
  const actorId = (actor: string): string => `kb:person-${actors.indexOf(actor) + 1}`
  const graph = [
    {
      '@id': `kb:package-${packageId.replaceAll(/[^A-Za-z0-9]+/g, '-')}`,
      '@type': 'uco-core:Bundle',
      'uco-core:description': 'Experimental: not verified with an independent checker.',
    },
    ...items.map((item) => ({
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
    })),
    ...items.map((item) => ({
      '@id': `kb:record-${item.resourceId}`,
      '@type': 'case-investigation:ProvenanceRecord',
      'case-investigation:exhibitNumber': item.exhibit ?? String(item.no),
      'uco-core:object': [{ '@id': idOf(item) }],
    })),
    ...actors.map((actor) => ({ '@id': actorId(actor), '@type': 'uco-identity:Identity', 'uco-core:name': actor })),
    ...actions.map(({ seq, timeUtc, action, actor, resourceId }) => ({
      '@id': `kb:entry-${seq}`,
      '@type': 'case-investigation:InvestigativeAction',
      'uco-core:name': action,
      'uco-action:startTime': { '@type': 'xsd:dateTime', '@value': timeUtc },
      'uco-action:endTime': { '@type': 'xsd:dateTime', '@value': timeUtc },
      'uco-action:performer': { '@id': actorId(actor) },
      'uco-action:object': [{ '@id': `kb:file-${resourceId}` }],
    })),
  ]
  return `${JSON.stringify({ '@context': CONTEXT, '@graph': graph }, null, 1)}\n`
}
