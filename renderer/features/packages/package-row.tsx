import { langOf } from '../../client/station-sentences.ts'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { packageNumber } from '../../../shared/packages/kinds.ts'
import { lazyOpened } from '../../client/lazy-opened.tsx'
import {
  downloadPackage,
  type Package,
  removePackageFile,
  resumePackage,
  saidOf,
  saveReceipt,
  stopPackage,
  usePackagesChanged,
  useTold,
} from '../../client/packages/packages.ts'
import { usePackageProblems } from '../../client/packages/problems.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { ActDialog } from '../../ui/act/act-dialog.tsx'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { FingerprintDigits } from '../../ui/fingerprint/fingerprint.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Menu } from '../../ui/popover/menu.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { ProgressBar } from '../../ui/progress/progress.tsx'
import { type State, StateMark } from '../../ui/state/state.tsx'
import styles from './packages.module.css'
import { Witnesses } from './witnesses.tsx'

const StartDialog = lazyOpened(async () => (await import('./start-dialog.tsx')).StartDialog)
const CaseOrderDialog = lazyOpened(async () => (await import('../../client/packages/case-order.tsx')).CaseOrderDialog)

interface RowProps {
  /** As it is now. */
  readonly one: Package
  /** In a narrow column on the page of its case. */
  readonly inCase: boolean
}

/** One package: for whom, how far it is, and what can be done with it in that state. */
export function PackageRow({ one, inCase }: RowProps) {
  const title = `package-${one.PackageId}`
  return (
    <li className={styles['package']} data-case={inCase || undefined} aria-labelledby={title}>
      <About one={one} inCase={inCase} title={title} />
      <div className={styles['doing']}>
        <StateMark state={MARKS[one.State]}>
          <StateWord one={one} />
        </StateMark>
        <Doing one={one} />
      </div>
    </li>
  )
}

const FOR = { prosecution: 'forProsecution', defence: 'forDefence', court: 'forCourt' } as const

function About({ one, inCase, title }: RowProps & { readonly title: string }) {
  const { t } = useTranslation('packages')
  const format = useFormat()
  const { Variant, Items, Bytes, Parts, Papers, CreatedBy, CreatedUtcTime, Supplements, OfExport } = one
  const forWhom = OfExport ? 'ofExport' : FOR[Variant]
  const amount = `${t('files', { count: Items, shown: format.count(Items) })}, ${format.bytes(Bytes)}`
  const inside = [t('original'), ...[...Parts, ...Papers].flatMap((part) => (part === 'redacted' ? [] : [t(part)]))]
  const leaves = [...(one.Form === 'zip' ? [] : [t(one.Form)]), ...(one.Encrypted === true ? [t('encrypted')] : [])]
  const Heading = inCase ? 'h3' : 'h2'
  return (
    <div className={styles['about']}>
      <Heading id={title} className={styles['name']}>
        {inCase ? t(forWhom) : <Title one={one} />}
      </Heading>
      <p>
        {!inCase && `${t(forWhom)} · `}
        <span title={format.exactBytes(Bytes)}>{amount}</span>
      </p>
      {Supplements !== null && <p>{t('addsTo', { number: packageNumber(Supplements) })}</p>}
      <p className={styles['second']}>{[...leaves, ...inside].join(' · ')}</p>
      <p className={styles['second']}>
        <bdi>
          {t('by', {
            name: visible(CreatedBy),
            time: format.instant(CreatedUtcTime, { precision: 'minute', zone: !inCase }),
          })}
        </bdi>
      </p>
      <p className={styles['file']} translate="no">
        {visible(one.Name)}
      </p>
      <Witnesses one={one} />
      {one.SignedSha256 !== null && <Proof value={one.SignedSha256} />}
    </div>
  )
}

function Title({ one: { Title: title, CaseId } }: { readonly one: Package }) {
  const { t } = useTranslation('packages')
  if (CaseId === null)
    return (
      <>
        <bdi>{visible(title)}</bdi> <span className={styles['of']}>{t('ofSelection')}</span>
      </>
    )
  return (
    <Link to="/cases/$caseId" params={{ caseId: CaseId }} className={styles['link']}>
      <bdi>{visible(title)}</bdi>
    </Link>
  )
}

function Proof({ value }: { readonly value: string }) {
  const { t } = useTranslation('packages')
  return (
    <details className={styles['proof']}>
      <summary className={styles['summary']}>{t('hash')}</summary>
      <FingerprintDigits value={value} of={t('hash')} />
      <p className={styles['second']}>{t('hashHow')}</p>
    </details>
  )
}

const MARKS: Readonly<Record<Package['State'], State>> = {
  Waiting: 'waiting',
  Making: 'working',
  Made: 'ok',
  Failed: 'attention',
  Stopped: 'waiting',
}

function StateWord({ one: { State: state, CanDownload, Drive } }: { readonly one: Package }) {
  const { t } = useTranslation('packages')
  if (state === 'Made' && Drive !== null) return t('stateOnDrive')
  return t(state === 'Made' && !CanDownload ? 'stateGone' : `state${state}`)
}

function Doing({ one }: { readonly one: Package }) {
  switch (one.State) {
    case 'Waiting':
    case 'Making':
      return <Going one={one} />
    case 'Made':
      return <Made one={one} />
    default:
      return <Ended one={one} />
  }
}

function Going({ one }: { readonly one: Package }) {
  const { t } = useTranslation('packages')
  const format = useFormat()
  const { tenant } = useSession()
  const changed = usePackagesChanged()
  const { busy, error, run } = useAct()
  const { PackageId, Name, Progress, State: state } = one
  const say = usePackageProblems()
  return (
    <>
      {state === 'Making' && (
        <ProgressBar
          label={t('making', { name: visible(Name) })}
          value={Progress === null ? null : Progress * 100}
          state="working"
        />
      )}
      {state === 'Waiting' && (
        <p className={styles['second']}>{one.Problem === null ? t('waitsBody') : say(one.Problem)}</p>
      )}
      {state === 'Making' && Progress !== null && (
        <p className={styles['second']}>{t('howFar', { share: format.percent(Progress) })}</p>
      )}
      <div className={styles['acts']}>
        <Button
          size="small"
          icon="stop"
          busy={busy}
          onPress={() => run(() => stopPackage(tenant, PackageId).finally(changed))}
        >
          {t('stop')}
        </Button>
      </div>
      {error !== null && <Problem error={error} title={t('notStopped')} said={saidOf(error)} />}
    </>
  )
}

/** What ended by itself says why; whether it can go on is known where it is over for good. */
function Ended({ one }: { readonly one: Package }) {
  const { t } = useTranslation('packages')
  const navigate = useNavigate()
  const changed = usePackagesChanged()
  const told = useTold(() => void navigate({ to: '/packages' }))
  const { busy, error, run } = useAct()
  const [asking, setAsking] = useState(false)
  const isOver = one.FinishedUtcTime !== null
  const problem = usePackageProblems()(one.Problem ?? '')
  return (
    <>
      {one.State === 'Stopped' ? (
        <p className={styles['second']}>{t(one.Encrypted === true ? 'needsPassphrase' : 'stoppedBody')}</p>
      ) : (
        <p className={styles['why']}>
          {t('failedBody')}{' '}
          <span lang={langOf(problem, one.Problem ?? '')} dir="auto">
            {visible(problem)}
          </span>
        </p>
      )}
      {isOver ? (
        <>
          <p className={styles['second']}>{t('goOnOver')}</p>
          {one.CaseId !== null && <MakeAgain caseId={one.CaseId} />}
        </>
      ) : (
        <div className={styles['acts']}>
          <Button
            size="small"
            icon="play"
            busy={busy}
            onPress={() =>
              one.Encrypted === true ? setAsking(true) : run(() => resumePackage(one.PackageId, told).finally(changed))
            }
          >
            {t(one.Encrypted === true ? 'goOnWithPassphrase' : 'goOn')}
          </Button>
        </div>
      )}
      {asking && <StartDialog one={one} onClose={() => setAsking(false)} />}
      {error !== null && <Problem error={error} title={t('notResumed')} said={saidOf(error)} />}
    </>
  )
}

/** What is over for good is made anew, of what the case holds by now. */
function MakeAgain({ caseId }: { readonly caseId: string }) {
  const { t } = useTranslation('packages')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button size="small" icon="archive" onPress={() => setIsOpen(true)}>
        {t('makeDots')}
      </Button>
      {isOpen && <CaseOrderDialog caseId={caseId} unseen={0} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function Made({ one }: { readonly one: Package }) {
  const { t } = useTranslation('packages')
  const { tenant } = useSession()
  const changed = usePackagesChanged()
  const download = useAct()
  const receipt = useAct()
  const [removing, setRemoving] = useState(false)
  if (one.Drive !== null)
    return (
      <p className={styles['second']}>
        <bdi>{t('onDriveHow', { drive: visible(one.Drive) })}</bdi>
      </p>
    )
  if (!one.CanDownload) return <p className={styles['second']}>{t('gone')}</p>
  const more = t('more', { name: visible(one.Name) })
  return (
    <>
      <div className={styles['acts']}>
        <Button
          size="small"
          icon="download"
          busy={download.busy}
          onPress={() => download.run(() => downloadPackage(tenant, one.PackageId).catch(refreshed(changed)))}
        >
          {t('download')}
        </Button>
        <Button
          size="small"
          icon="print"
          busy={receipt.busy}
          onPress={() => receipt.run(() => saveReceipt(tenant, one).catch(refreshed(changed)))}
        >
          {t('receipt')}
        </Button>
        <Menu
          label={more}
          sections={[
            {
              items: [
                {
                  id: 'remove',
                  label: t('removeDots'),
                  icon: 'trash',
                  danger: true,
                  onAction: () => setRemoving(true),
                },
              ],
            },
          ]}
          trigger={<IconButton icon="more" kind="plain" size="small" label={more} tooltip={false} />}
        />
      </div>
      <p className={styles['second']}>{t('receiptHow')}</p>
      {download.error !== null && (
        <Problem error={download.error} title={t('notDownloaded')} said={saidOf(download.error)} />
      )}
      {receipt.error !== null && <Problem error={receipt.error} title={t('noReceipt')} said={saidOf(receipt.error)} />}
      {removing && <RemoveDialog one={one} onClose={() => setRemoving(false)} />}
    </>
  )
}

/** A refusal says that the list is not as it was. */
const refreshed =
  (changed: () => void) =>
  (failure: unknown): never => {
    changed()
    throw failure
  }

function RemoveDialog({ one, onClose }: { readonly one: Package; readonly onClose: () => void }) {
  const { t } = useTranslation('packages')
  const { tenant } = useSession()
  const changed = usePackagesChanged()
  return (
    <ActDialog
      title={t('removeTitle')}
      act={t('remove')}
      failed={t('notRemoved')}
      danger
      problem={(error) => <Problem error={error} title={t('notRemoved')} said={saidOf(error)} />}
      onAct={() => removePackageFile(tenant, one.PackageId).finally(changed)}
      onClose={onClose}
    >
      <p>{t('removeBody', { name: visible(one.Name) })}</p>
      <p>{t('removeStays')}</p>
    </ActDialog>
  )
}
