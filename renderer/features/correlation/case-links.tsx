import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ChooseEvidence } from './choose.tsx'
import styles from './correlation.module.css'
import { type Pair, useLinksOfCase } from './queries.ts'
import { WithdrawnNote } from './explanation.tsx'
import { leadWords, stateOf } from './labels.ts'

const WhyDialog = lazyOpened(async () => (await import('./why-dialog.tsx')).WhyDialog)

interface Open {
  readonly evidenceId: string
  readonly name: string
}

const nameOf = ({ EvidenceName, EvidenceId }: { EvidenceName: string | null; EvidenceId: string }): string =>
  visible(EvidenceName ?? EvidenceId)

/** What stands first: what waits for somebody, then what is in, then what is near and not in. */
const ORDER = ['Review', 'Linked', 'Confirmed', 'Refused', 'NotLinked'] as const
const byState = (one: Pair, other: Pair): number => ORDER.indexOf(one.State) - ORDER.indexOf(other.State)

/** Which recordings the station put into the case by itself and which not, each with its reason. */
export default function CaseLinks({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('correlation')
  const { data, error, refetch } = useLinksOfCase(caseId)
  const [open, setOpen] = useState<Open | null>(null)
  const [choosing, setChoosing] = useState(false)
  const items = (data?.Items ?? []).toSorted(byState)
  const here = new Set(items.map(({ EvidenceId }) => EvidenceId))
  // Those that are told with their pair are told once.
  const gone = (data?.Withdrawn ?? []).filter(
    ({ EvidenceId }, at, all) => !here.has(EvidenceId) && all.findIndex((one) => one.EvidenceId === EvidenceId) === at,
  )
  return (
    <section className={styles['section']} aria-labelledby="case-links">
      <header className={styles['sectionHead']}>
        <h2 id="case-links" className={styles['sectionTitle']}>
          {t('caseTitle')}
        </h2>
        <Button size="small" icon="search" onPress={() => setChoosing(true)}>
          {t('whyNot')}
        </Button>
      </header>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && items.length === 0 && gone.length === 0 && (
        <p className={styles['muted']}>{t('caseNone')}</p>
      )}
      <ul className={styles['list']}>
        {items.map((pair) => (
          <PairLine
            key={pair.EvidenceId}
            pair={pair}
            onWhy={() => setOpen({ evidenceId: pair.EvidenceId, name: nameOf(pair) })}
          />
        ))}
        {gone.map((one) => (
          <li key={one.EvidenceId}>
            <span className={styles['said']}>
              <b>
                <bdi>{nameOf(one)}</bdi>
              </b>
              <WithdrawnNote withdrawn={one} />
            </span>
            <WhyButton name={nameOf(one)} onPress={() => setOpen({ evidenceId: one.EvidenceId, name: nameOf(one) })} />
          </li>
        ))}
      </ul>
      {choosing && (
        <ChooseEvidence
          onClose={() => setChoosing(false)}
          onChoose={(evidenceId, name) => {
            setChoosing(false)
            setOpen({ evidenceId, name })
          }}
        />
      )}
      {open !== null && <WhyDialog caseId={caseId} {...open} onClose={() => setOpen(null)} />}
    </section>
  )
}

export function WhyButton({ name, onPress }: { readonly name: string; readonly onPress: () => void }) {
  const { t } = useTranslation('correlation')
  return (
    <Button size="small" onPress={onPress}>
      {t('why')}
      <span className="unseen"> {name}</span>
    </Button>
  )
}

function PairLine({ pair, onWhy }: { readonly pair: Pair; readonly onWhy: () => void }) {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  const { state, words } = stateOf(pair, t)
  return (
    <li>
      <span className={styles['said']}>
        <b>
          <bdi>{nameOf(pair)}</bdi>
        </b>
        <StateMark state={state}>{words}</StateMark>
        <small>{leadWords(pair, t, format)}</small>
        {pair.Withdrawn !== null && pair.State === 'NotLinked' && <WithdrawnNote withdrawn={pair.Withdrawn} />}
      </span>
      <WhyButton name={nameOf(pair)} onPress={onWhy} />
    </li>
  )
}
