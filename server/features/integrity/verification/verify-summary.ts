import { counted } from './counted.ts'
import type { VerifyReport } from './verify-report.ts'

/** A few lines for people: the result, the age of the newest copy outside, and what no entry proves. */
export function summaryOf(report: Omit<VerifyReport, 'summary'>, leftOut: number): string {
  const { problems, entries, checkpoints, blobs, rows, fast } = report
  const count = problems.length + leftOut
  const scope = [
    counted(entries, 'entry', 'entries'),
    counted(checkpoints, 'checkpoint'),
    counted(blobs, 'blob') + (fast ? ' by length' : ''),
    counted(rows, 'row'),
  ].join(', ')
  return [
    count === 0 ? `Ledger, files and rows are as recorded: ${scope}.` : `${counted(count, 'problem')} in ${scope}.`,
    forwardedLine(report),
    outsideLine(report),
    unsignedLine(report),
    sinceLine(report),
    notCoveredLine(report),
  ]
    .filter((line) => line !== null)
    .join('\n')
}

const forwardedLine = ({ forwarded }: Omit<VerifyReport, 'summary'>): string | null =>
  forwarded.blobs === 0
    ? null
    : `${counted(forwarded.blobs, 'original is', 'originals are')} forwarded: the bytes are at ${forwarded.addresses.join(', ')}, each with a receipt in the ledger.`

function outsideLine({ newestOutside, entries }: Omit<VerifyReport, 'summary'>): string | null {
  if (newestOutside === null)
    return 'No checkpoint from outside the station was given: an older copy of everything would look the same.'
  const { size, timeUtc } = newestOutside
  return `The newest checkpoint from outside is over ${counted(size, 'entry', 'entries')}${timeUtc === null ? '' : `, of ${timeUtc}`}; ${counted(Math.max(0, entries - size), 'entry has', 'entries have')} come since.`
}

function unsignedLine({ signedEntries, entries }: Omit<VerifyReport, 'summary'>): string | null {
  const unsigned = entries - signedEntries
  if (unsigned <= 0) return null
  return `${counted(unsigned, 'entry was', 'entries were')} written after the newest signed checkpoint: no signature vouches for ${unsigned === 1 ? 'it' : 'them'} yet.`
}

const sinceLine = ({ rowsCoveredSince }: Omit<VerifyReport, 'summary'>): string | null =>
  rowsCoveredSince === null ? null : `Rows are covered since ${rowsCoveredSince}.`

function notCoveredLine({ notCovered }: Omit<VerifyReport, 'summary'>): string | null {
  if (notCovered.length === 0) return null
  return ['Not covered:', ...notCovered.map(({ what, why }) => `  ${what}: ${why}`)].join('\n')
}
