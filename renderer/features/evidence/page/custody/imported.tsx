import { useMemo } from 'react'
import type { z } from 'zod'
import type { CustodyPage } from '../../../../../shared/evidence/custody.contract.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Thread } from '../../../../ui/thread/thread.tsx'
import type { Entry } from '../queries.ts'
import { visible } from '../text/visible.ts'
import { actDetail, actIcon, actorOf, actWords, type People } from './acts.ts'
import styles from './custody.module.css'

type ImportedFrom = z.output<typeof CustodyPage>['Imported'][number]

/** Their people are none of this station. */
const NOBODY: People = new Map()

/** Where the evidence was imported from, and what the ledger there says of it. */
export function Imported({ from }: { readonly from: ImportedFrom }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const thread = useMemo(
    () =>
      from.Entries.toReversed().flatMap((line) => {
        const entry = entryIn(line)
        if (entry === null) return []
        const detail = actDetail(entry, t, format)
        return {
          id: String(entry.Seq),
          icon: actIcon(entry),
          act: actWords(entry, t, format),
          detail: `${actorOf(entry, NOBODY, t)}${detail === '' ? '' : ` · ${detail}`}`,
          time: format.instant(entry.TimeUtc),
          at: entry.TimeUtc,
          exact: format.instant(entry.TimeUtc, { precision: 'millisecond', zone: true }),
        }
      }),
    [from.Entries, t, format],
  )
  const station = visible(from.StationName)
  return (
    <section className={styles['imported']} data-imported aria-label={t('importedFrom', { station })}>
      <h3>{t('importedFrom', { station })}</h3>
      <p>
        {t('importedFacts', {
          origin: visible(from.Origin),
          id: from.SourceId,
          time: format.instant(from.ImportedTimeUtc),
        })}
      </p>
      {thread.length > 0 && (
        <details>
          <summary>{t('importedEntries', { count: thread.length, shown: format.count(thread.length) })}</summary>
          <Thread label={t('importedFrom', { station })} entries={thread} />
        </details>
      )}
    </section>
  )
}

/** Null for a line that is no entry: what another station wrote is shown as far as it can be read. */
function entryIn(line: string): Entry | null {
  try {
    const { seq, timeUtc, actor, source, action, object, outcome, reason, bytes, sha256, correlationId, detail } =
      JSON.parse(line) as Stored
    return {
      Seq: seq,
      TimeUtc: timeUtc,
      Actor: { Kind: actor.kind, Id: actor.id, Name: actor.name, Role: actor.role },
      Source: source,
      Action: action,
      Kind: 'change',
      Object: { Type: object.type, Id: object.id, Name: object.name },
      Outcome: outcome,
      Reason: reason,
      Bytes: bytes,
      Sha256: sha256,
      CorrelationId: correlationId,
      Detail: detail,
      Hash: '',
      PreviousHash: '',
      Canonical: line,
    }
  } catch {
    return null
  }
}

/** As the ledger stores it. */
interface Stored {
  readonly seq: number
  readonly timeUtc: string
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string; readonly role: string | null }
  readonly source: string
  readonly action: string
  readonly object: { readonly type: string; readonly id: string; readonly name: string }
  readonly outcome: Entry['Outcome']
  readonly reason: string | null
  readonly bytes: number | null
  readonly sha256: string | null
  readonly correlationId: string
  readonly detail: Record<string, unknown> | null
}
