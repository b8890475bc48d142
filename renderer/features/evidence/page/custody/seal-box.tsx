import { useTranslation } from '../../../../client/translate.ts'
import { TextButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Hash } from '../../../../ui/hash/hash.tsx'
import { type State, StateMark } from '../../../../ui/state/state.tsx'
import type { Entry } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import type { Fault } from './chain.ts'
import styles from './custody.module.css'
import type { Seal } from './use-seal.ts'

const FAULTS: Readonly<Record<Fault, 'faultHash' | 'faultLink' | 'faultWords'>> = {
  hash: 'faultHash',
  link: 'faultLink',
  words: 'faultWords',
}

/** The proof above what it proves: range, head, when it was signed; or which entry is not what it should be. */
export function SealBox({ seal, entries }: { readonly seal: Seal; readonly entries: readonly Entry[] }) {
  const { t } = useTranslation('evidencePage')
  const { station, page, busy, error, again } = seal
  if (error !== null && !busy) return <Problem error={error} title={t('sealNot')} onRetry={again} />
  const bad = whatIsBad(seal, entries)
  const state: State = busy || station === null || page === null ? 'working' : bad === null ? 'ok' : 'danger'
  return (
    <div className={styles['seal']} data-seal={state} role="status">
      {state === 'working' ? (
        <StateMark state="working">{t('sealWorking')}</StateMark>
      ) : state === 'ok' ? (
        <Sound seal={seal} />
      ) : (
        <>
          <StateMark state="danger">{t('sealBroken')}</StateMark>
          <p className={styles['said']}>
            {bad?.fault === undefined
              ? t('sealStationFound', { seq: bad?.seq ?? 0, problem: bad?.problem ?? '' })
              : t(FAULTS[bad.fault], { seq: bad.seq })}
          </p>
          <p className={styles['said']}>{t('sealBrokenDo')}</p>
        </>
      )}
      <div className={styles['head']}>
        {station !== null && <Hash value={station.HeadHash} prefix={t('sealHead')} of={t('sealHeadOf')} />}
        <span className={styles['again']}>
          <TextButton busy={busy} onPress={again}>
            {t('sealAgain')}
          </TextButton>
        </span>
      </div>
    </div>
  )
}

interface Bad {
  readonly seq: number
  readonly fault?: Fault
  readonly problem?: string
}

/** The first that is wrong, whoever found it. */
function whatIsBad({ station, page }: Seal, entries: readonly Entry[]): Bad | null {
  const own = page?.faults[0]
  const told = station === null || station.Intact ? null : station.FirstBad
  if (own !== undefined && (told === null || own.seq <= told.Seq)) return { seq: own.seq, fault: own.fault }
  if (told !== null) return { seq: told.Seq, problem: told.Problem }
  if (station !== null && !station.Intact) return { seq: station.FromSeq, problem: '' }
  // The head that the station names must be the one that stands here, where it does.
  const head = entries.find(({ Seq }) => Seq === station?.HeadSeq)
  if (head !== undefined && station !== null && head.Hash !== station.HeadHash) return { seq: head.Seq, fault: 'hash' }
  return null
}

function Sound({ seal: { station, page } }: { readonly seal: Seal }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  if (station === null || page === null) return null
  const signed = station.Checkpoint
  return (
    <>
      <StateMark state="ok">{t('sealSound')}</StateMark>
      <p className={styles['said']}>
        {t('sealRange', {
          count: station.Entries,
          shown: format.count(station.Entries),
          from: format.count(station.FromSeq),
          to: format.count(station.ToSeq),
        })}{' '}
        {t('sealHere', { count: page.checked, shown: format.count(page.checked) })}{' '}
        {signed === null
          ? t('sealUnsigned')
          : t('sealSigned', { time: format.timeOrDay(signed.TimeUtc), size: format.count(signed.Size) })}{' '}
        {station.Bounded && t('sealBounded')}
      </p>
    </>
  )
}
