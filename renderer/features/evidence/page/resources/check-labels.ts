import type { Format } from '../../../../ui/format/use-format.tsx'
import type { HashCheck } from '../../../../ui/hash/hash.tsx'
import type { Resource } from '../queries.ts'
import type { Words } from '../stage/work.ts'

/** Result and date of the last time the bytes were read, as it was done: *read back* only where that took place. */
export function checkWords(check: Resource['LastCheck'], t: Words, format: Format): HashCheck | undefined {
  if (check === null) return undefined
  const time = format.timeOrDay(check.TimeUtc)
  if (check.Result === 'missing') return { state: 'danger', words: t('checkMissing', { time }) }
  if (check.Result === 'changed') return { state: 'danger', words: t('checkChanged', { time }) }
  if (check.Kind === 'ingest') return { state: 'ok', words: t('checkReadBack', { time }) }
  return { state: 'ok', words: t(check.ReadBack === 'cache' ? 'checkMatchesCache' : 'checkMatches', { time }) }
}
