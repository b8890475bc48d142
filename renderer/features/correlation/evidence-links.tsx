import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../client/translate.ts'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import { Button } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { StateMark } from '../../ui/state/state.tsx'
import { WhyButton } from './case-links.tsx'
import { ChooseCase } from './choose.tsx'
import styles from './correlation.module.css'
import { useCasesOf, usePair } from './queries.ts'
import { leadWords } from './labels.ts'

const WhyDialog = lazyOpened(async () => (await import('./why-dialog.tsx')).WhyDialog)

interface Open {
  readonly caseId: string
  readonly name: string
}

/** The cases of a recording: put there by somebody, or by the station and why. */
export default function EvidenceLinks({ evidenceId }: { readonly evidenceId: string }) {
  const { t } = useTranslation('correlation')
  const { data, error, refetch } = useCasesOf(evidenceId)
  const [open, setOpen] = useState<Open | null>(null)
  const [choosing, setChoosing] = useState(false)
  const relations = data?.Relations ?? []
  return (
    <section className={styles['section']} aria-labelledby="evidence-links">
      <header className={styles['sectionHead']}>
        <h2 id="evidence-links" className={styles['sectionTitle']}>
          {t('evidenceTitle')}
        </h2>
        <Button size="small" icon="search" onPress={() => setChoosing(true)}>
          {t('whyNotCase')}
        </Button>
      </header>
      {error !== null && data === undefined && <Problem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && relations.length === 0 && <p className={styles['muted']}>{t('evidenceNone')}</p>}
      <ul className={styles['list']}>
        {relations.map(({ CaseId, Title, Kind, Confirmed }) => (
          <li key={`${CaseId} ${Kind}`}>
            <span className={styles['said']}>
              <Link to="/cases/$caseId" params={{ caseId: CaseId }}>
                <bdi>{visible(Title)}</bdi>
              </Link>
              {Kind === 'Manual' ? (
                <small>{t('byHand')}</small>
              ) : (
                <>
                  <StateMark state={Confirmed ? 'ok' : 'waiting'}>
                    {t(Confirmed ? 'stateConfirmed' : 'stateLinked')}
                  </StateMark>
                  <Lead caseId={CaseId} evidenceId={evidenceId} />
                </>
              )}
            </span>
            {Kind === 'Automatic' && (
              <WhyButton name={visible(Title)} onPress={() => setOpen({ caseId: CaseId, name: Title })} />
            )}
          </li>
        ))}
      </ul>
      {choosing && (
        <ChooseCase
          onClose={() => setChoosing(false)}
          onChoose={(caseId, name) => {
            setChoosing(false)
            setOpen({ caseId, name })
          }}
        />
      )}
      {open !== null && <WhyDialog {...open} evidenceId={evidenceId} onClose={() => setOpen(null)} />}
    </section>
  )
}

function Lead({ caseId, evidenceId }: { readonly caseId: string; readonly evidenceId: string }) {
  const { t } = useTranslation('correlation')
  const format = useFormat()
  const { data } = usePair(caseId, evidenceId)
  return data === undefined ? null : <small>{leadWords(data, t, format)}</small>
}
