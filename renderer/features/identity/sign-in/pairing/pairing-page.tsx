import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../../shared/network/contract.ts'
import { addressOf, call } from '../../../../client/api.ts'
import { Brand, Choices } from '../../../../client/outside.tsx'
import { overNetwork } from '../../../../client/over-network.ts'
import { Button, LinkButton } from '../../../../ui/button/button.tsx'
import { EmptyState } from '../../../../ui/empty/empty.tsx'
import { FingerprintDigits, FingerprintWords } from '../../../../ui/fingerprint/fingerprint.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { CopyButton } from '../../../../ui/hash/copy-button.tsx'
import { Note } from '../../../../ui/note/note.tsx'
import { Problem } from '../../../../ui/problem/problem.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import '../../../../ui/paper/paper.css'
import { HowTo } from './how-to.tsx'
import styles from './pairing.module.css'
import { systemHere } from './systems.ts'

type Pairing = z.output<typeof contract.PairingModel>

/** What another computer opens before anybody signs in there: nothing of the station's but its name and its CA is on it. */
export default function PairingPage() {
  const { t } = useTranslation('pairing')
  const { data, error, refetch } = useQuery({
    queryKey: ['pairing'],
    queryFn: ({ signal }) => call(contract.getPairing, { signal }),
  })
  useEffect(() => {
    document.title = `${t('title')} · Sallyport`
  }, [t])
  return (
    <div className={styles['page']} data-paper>
      <header className={styles['top']}>
        <Brand />
        <span data-tools>
          <Choices />
        </span>
      </header>
      <main className={styles['main']}>
        {error !== null && <Problem error={error} title={t('failedTitle')} onRetry={() => void refetch()} />}
        {error === null && data === undefined && <Skeleton lines={10} />}
        {data !== undefined &&
          (data.Ca === null || !data.Enabled ? (
            <>
              <h1 className={styles['title']}>{t('title')}</h1>
              <EmptyState title={t('offTitle')}>{t('offBody')}</EmptyState>
            </>
          ) : (
            <Paper pairing={data} ca={data.Ca} />
          ))}
      </main>
    </div>
  )
}

interface PaperProps {
  readonly pairing: Pairing
  readonly ca: NonNullable<Pairing['Ca']>
}

function Paper({ pairing, ca }: PaperProps) {
  const { t } = useTranslation('pairing')
  const format = useFormat()
  const atStation = !overNetwork(window.location)
  return (
    <>
      <header className={styles['head']}>
        <h1 className={styles['title']}>{t('titleOf', { station: pairing.StationName })}</h1>
        <p className={styles['lead']}>{t('lead')}</p>
        <div className={styles['tools']} data-tools>
          <Button size="small" icon="print" onPress={() => window.print()}>
            {t('print')}
          </Button>
          <LinkButton size="small" kind="quiet" href="/evidence">
            {t('toSignIn')}
          </LinkButton>
        </div>
      </header>
      {atStation && (
        <Note title={t('atStationTitle')}>
          {t('atStationBody')} {pairing.Origins.map((origin) => `${origin}/pair`).join(', ')}
        </Note>
      )}
      {!atStation && !pairing.Secure && <Note state="attention" title={t('notSecure')} />}
      <ol className={styles['steps']}>
        <li className={styles['step']}>
          <h2 className={styles['heading']}>{t('compare')}</h2>
          <p>{t('compareHow')}</p>
          <FingerprintWords words={ca.Words} label={t('compare')} large />
          <p className={styles['stop']}>{t('compareNo')}</p>
        </li>
        <li className={styles['step']}>
          <h2 className={styles['heading']}>{t('take')}</h2>
          <p>
            {t('takeHow')} {t('validTo', { when: format.day(ca.NotAfterUtc) })}
          </p>
          <div className={styles['acts']} data-tools>
            <LinkButton kind="main" icon="download" href={addressOf(contract.getCaDer, {})}>
              {t('takeDer')}
            </LinkButton>
            <LinkButton kind="quiet" icon="download" href={addressOf(contract.getCaPem, {})}>
              {t('takePem')}
            </LinkButton>
          </div>
        </li>
        <li className={styles['step']}>
          <h2 className={styles['heading']}>{t('check')}</h2>
          <p>{t('checkHow')}</p>
          <div className={styles['digits']}>
            <span className={styles['second']}>{t('fingerprint')}</span>
            <FingerprintDigits value={ca.Sha256Fingerprint} of={t('fingerprintCopy')} />
          </div>
        </li>
        <li className={styles['step']} data-long>
          <h2 className={styles['heading']}>{t('trust')}</h2>
          <p>{t('trustHow')}</p>
          <HowTo here={systemHere(navigator.userAgent, navigator.maxTouchPoints)} name={ca.Subject} />
        </li>
        <li className={styles['step']}>
          <h2 className={styles['heading']}>{t('done')}</h2>
          <p>{t('doneHow')}</p>
          <ul className={styles['origins']}>
            {pairing.Origins.map((origin) => (
              <li key={origin} className={styles['origin']}>
                <a href={origin}>{origin}</a>
                <span data-tools>
                  <CopyButton text={origin} label={t('copyAddress', { address: origin })} />
                </span>
              </li>
            ))}
          </ul>
        </li>
      </ol>
    </>
  )
}
