import type { z } from 'zod'
import type { SearchHit } from '../../../shared/search/contract.ts'
import { SEARCHED_MEDIA } from '../../../shared/search/search-values.ts'
import { findWords, snippetOf } from '../../../shared/search/search-query.ts'
import type { Tx } from '../../kernel/database/database.ts'
import { type HitRow, KINDS, type Kind } from './search.store.ts'
import { type ShownRow, shownRows, writtenAbout, type WrittenRow } from './search-objects.store.ts'
import { clockModel } from '../../../shared/evidence/recorded-clock.contract.ts'
import type { RecordedTime } from '../../../shared/evidence/recorded-time.ts'
import { clocksOf } from '../../kernel/evidence/clocks.store.ts'

type HitOut = z.input<typeof SearchHit>

interface Showing {
  /** What was asked for by its very id or number. */
  readonly exact: ReadonlySet<number>
  /** Folded prefixes of the searched words. */
  readonly words: readonly string[]
  /** Of evidence what is shown under another name than its title. */
  readonly named: (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
}

/**
 * The texts of hits, in their order. The index stores no texts, so the snippets come from the rows.
 */
export async function shownHits(
  from: Tx,
  tenant: string,
  rows: readonly HitRow[],
  { exact, words, named }: Showing,
): Promise<HitOut[]> {
  const shown = new Map<Kind, Map<number, ShownRow>>()
  const written = new Map<Kind, Map<number, WrittenRow>>()
  for (const kind of KINDS) {
    const ids = rows.filter((row) => KINDS[row.kind] === kind).map((row) => row.object_id)
    const found = await shownRows(from, kind, ids)
    shown.set(kind, found)
    if (kind === 'Case' || kind === 'Evidence') written.set(kind, await writtenWith(from, kind, found, words))
  }
  const evidence = [...(shown.get('Evidence')?.keys() ?? [])]
  const clocks = await clocksOf(from, evidence)
  const names = await named(evidence)
  return rows.flatMap((row) => {
    const kind = KINDS[row.kind] as Kind
    const one = shown.get(kind)?.get(row.object_id)
    return one === undefined
      ? []
      : [
          hit(
            tenant,
            kind,
            row,
            one,
            kind === 'Evidence'
              ? { clock: clocks.get(row.object_id) ?? null, name: names.get(row.object_id) ?? one.title }
              : { clock: null, name: one.title },
            exact.has(row.search_id),
            words,
            written.get(kind)?.get(row.object_id) ?? null,
          ),
        ]
  })
}

/** For each whose title has none of the words: the first mark or note that has one. */
async function writtenWith(
  from: Tx,
  kind: 'Case' | 'Evidence',
  shown: ReadonlyMap<number, ShownRow>,
  words: readonly string[],
): Promise<Map<number, WrittenRow>> {
  const has = (text: string): boolean => findWords(text, words).length > 0
  const asked = words.length === 0 ? [] : [...shown.values()].filter(({ title }) => !has(title)).map(({ id }) => id)
  const found = new Map<number, WrittenRow>()
  for (const row of await writtenAbout(from, kind, asked))
    if (!found.has(row.object_id) && has(row.said)) found.set(row.object_id, row)
  return found
}

function hit(
  tenant: string,
  kind: Kind,
  row: HitRow,
  shown: ShownRow,
  { clock, name }: { readonly clock: RecordedTime | null; readonly name: string },
  exact: boolean,
  words: readonly string[],
  written: WrittenRow | null,
): HitOut {
  return {
    Type: kind,
    Id: shown.named ?? String(row.object_id),
    Title: shown.title,
    DisplayName: name,
    Number: shown.number,
    Snippet: snippetOf(
      [written?.said ?? null, ...shown.texts].filter((text): text is string => text !== null && text !== ''),
      words,
    ),
    FoundIn:
      written === null
        ? null
        : {
            Kind: written.note === 1 ? 'Note' : 'Bookmark',
            ResourceId: written.resource_id === null ? null : String(written.resource_id),
            StartSeconds: written.start_seconds,
          },
    Exact: exact,
    State: row.state as HitOut['State'],
    Protected: row.protected === 1,
    Status: shown.status,
    CategoryId: row.category_id === null ? null : String(row.category_id),
    // A local time in an unknown zone is no instant; `Clock` contains it, marked.
    StartTimeUtc: clock === null ? shown.start : clock.zoneUnknown ? null : clock.corrected,
    EndTimeUtc: shown.end,
    Clock: clock === null ? null : clockModel(clock),
    CreatedUtcTime: shown.created,
    LocationText: shown.location,
    LocationWKT: shown.wkt,
    MediaType: row.media === null ? null : (SEARCHED_MEDIA[row.media] ?? 'none'),
    Thumbnail:
      shown.thumbnail === null
        ? null
        : `/documentstore/api/v1/tenant/${encodeURIComponent(tenant)}/evidence/${row.object_id}/thumbnail`,
  }
}
