import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/network/contract.ts'
import { addressOf } from '../../../client/api.ts'
import { useStation } from '../../../client/station.ts'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { FingerprintDigits, FingerprintWords } from '../../../ui/fingerprint/fingerprint.tsx'
import { CopyButton } from '../../../ui/hash/copy-button.tsx'
import { Problem } from '../../../ui/problem/problem.tsx'
import { QrCode } from '../../../ui/qr/qr.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import '../../../ui/paper/paper.css'
import { usePageTitle } from '../list-page.tsx'
import { type Lan, useLan } from './queries.ts'
import styles from './pair.module.css'

const PAIR = '/pair'

/** For the screen of the station, read from a desk away: what the other computer has to show, and where it finds the station. */
export function PairPage() {
  const { t } = useTranslation('network')
  const { lan, error, retry } = useLan()
  usePageTitle(t('pairTitle'))
  return (
    <div className={styles['page']}>
      {error !== null && <Problem error={error} onRetry={retry} />}
      {lan === null && error === null && <Skeleton lines={8} />}
      {lan !== null &&
        (lan.Ca === null || lan.Origins.length === 0 ? (
          <EmptyState title={t('pairOffTitle')}>
            {t('pairOffBody')}{' '}
            <Link to="/administration/network" className={styles['link']}>
              {t('pairOffGo')}
            </Link>
          </EmptyState>
        ) : (
          <Paper lan={lan} ca={lan.Ca} origins={lan.Origins} />
        ))}
    </div>
  )
}

interface PaperProps {
  readonly lan: Lan
  readonly ca: NonNullable<Lan['Ca']>
  readonly origins: Lan['Origins']
}

function Paper({ lan, ca, origins }: PaperProps) {
  const { t } = useTranslation('network')
  const station = useStation()
  const [first = '', second] = origins
  const address = `${first}${PAIR}`
  return (
    <>
      <div className={styles['tools']} data-tools>
        <Link to="/administration/network" className={styles['link']}>
          {t('pairBack')}
        </Link>
        <Button size="small" icon="print" onPress={() => window.print()}>
          {t('pairPrint')}
        </Button>
      </div>
      <article className={styles['paper']} data-paper aria-labelledby="pair-title">
        <header className={styles['head']}>
          <h1 id="pair-title" className={styles['title']}>
            {t('pairTitle')}
          </h1>
          <p className={styles['lead']}>{t('pairLead', { station: station?.Name ?? lan.MachineName })}</p>
        </header>
        <ol className={styles['steps']}>
          <Step title={t('pairOpen')} beside={<Scan address={address} />}>
            <Address address={address} large />
            {second !== undefined && (
              <p className={styles['or']}>
                {t('pairOpenOr')} <Address address={`${second}${PAIR}`} />
              </p>
            )}
            <p>{t('pairOpenHow')}</p>
          </Step>
          <Step title={t('pairCompare')}>
            <FingerprintWords words={ca.Words} label={t('words')} large />
            <p>{t('pairCompareHow')}</p>
          </Step>
          <Step title={t('pairTake')} beside={<Stick />}>
            <p>{t('pairTakeHow')}</p>
            <FingerprintDigits value={ca.Sha256Fingerprint} of={t('fingerprintCopy')} />
            <p className={styles['why']}>{t('pairTakeWhy')}</p>
          </Step>
          <Step title={t('pairDoneTitle')}>
            <p>{t('pairDone')}</p>
          </Step>
        </ol>
      </article>
    </>
  )
}

interface StepProps {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}

function Step({ title, beside, children }: StepProps) {
  return (
    <li className={styles['step']}>
      <div className={styles['said']}>
        <h2 className={styles['heading']}>{title}</h2>
        {children}
      </div>
      {beside}
    </li>
  )
}

/** As it is typed on the other computer. */
function Address({ address, large = false }: { readonly address: string; readonly large?: boolean }) {
  const { t } = useTranslation('network')
  return (
    <span className={styles['address']} data-large={large || undefined}>
      <bdi>{address}</bdi>
      <span data-tools>
        <CopyButton text={address} label={t('copyAddress', { address })} />
      </span>
    </span>
  )
}

function Scan({ address }: { readonly address: string }) {
  const { t } = useTranslation('network')
  return (
    <figure className={styles['code']}>
      <QrCode text={address} label={t('pairScanLabel', { address })} />
      <figcaption>{t('pairScan')}</figcaption>
    </figure>
  )
}

function Stick() {
  const { t } = useTranslation('network')
  return (
    <aside className={styles['stick']} data-tools>
      <h3 className={styles['small']}>{t('pairStick')}</h3>
      <p>{t('pairStickHow')}</p>
      <LinkButton size="small" icon="download" href={addressOf(contract.getCaDer, {})} download>
        {t('caDownload')}
      </LinkButton>
    </aside>
  )
}
