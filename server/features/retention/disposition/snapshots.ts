import { goneBy, KEPT } from '../../../../shared/integrity/kept-snapshots.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { SnapshotFolder } from './snapshots.store.ts'

/** The statement of a certificate about backups: destruction does not change snapshots, which are written once. */
export interface SnapshotsThen {
  /** Places with scheduled snapshots. */
  readonly scheduled: number
  /** When those snapshots are pruned, if the schedule continues; null without such places. */
  readonly untilUtc: string | null
  /** Further places with a snapshot, which no schedule prunes. */
  readonly elsewhere: number
  /** The same for people. */
  readonly words: { readonly en: string; readonly fr: string }
}

/** Pure. @param at when the bytes were destroyed */
export function snapshotsThen(folders: readonly SnapshotFolder[], at: number): SnapshotsThen {
  const hours = folders.flatMap(({ everyHours }) => (everyHours === null ? [] : [everyHours]))
  const scheduled = hours.length
  const elsewhere = folders.length - scheduled
  const untilUtc = scheduled === 0 ? null : isoMillis(goneBy(at, Math.max(...hours)))
  return {
    scheduled,
    untilUtc,
    elsewhere,
    words: { en: english(untilUtc, elsewhere), fr: french(untilUtc, elsewhere) },
  }
}

const dayOf = (utc: string): string => utc.slice(0, 10)

function english(untilUtc: string | null, elsewhere: number): string {
  if (untilUtc === null && elsewhere === 0)
    return 'The station knew of no snapshot of a backup that could hold these bytes.'
  const parts = ['Snapshots of backups may keep these bytes until their own time is over.']
  if (untilUtc !== null)
    parts.push(
      `Where snapshots are made on a schedule the last of them is gone by ${dayOf(untilUtc)} (UTC): ${KEPT.daily} days, ${KEPT.weekly} weeks and ${KEPT.monthly} months are kept, and one with keys until another with keys is made.`,
    )
  if (elsewhere > 0) parts.push('Where no schedule clears them they stay until somebody removes them.')
  return parts.join(' ')
}

function french(untilUtc: string | null, elsewhere: number): string {
  if (untilUtc === null && elsewhere === 0)
    return 'La station ne connaissait aucun instantané de sauvegarde pouvant contenir ces octets.'
  const parts = ['Des instantanés de sauvegarde peuvent garder ces octets jusqu’à la fin de leur propre délai.']
  if (untilUtc !== null)
    parts.push(
      `Là où des instantanés sont faits régulièrement, le dernier aura disparu au plus tard le ${dayOf(untilUtc)} (UTC) : ${KEPT.daily} jours, ${KEPT.weekly} semaines et ${KEPT.monthly} mois sont gardés, et celui qui contient les clés jusqu’à ce qu’un autre avec clés soit fait.`,
    )
  if (elsewhere > 0)
    parts.push('Là où rien ne les efface régulièrement, ils restent jusqu’à ce que quelqu’un les supprime.')
  return parts.join(' ')
}
