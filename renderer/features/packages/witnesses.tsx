import { packageNumber } from '../../../shared/packages/kinds.ts'
import {
  askPackageWitness,
  type Package,
  saidOf,
  saveWitness,
  usePackagesChanged,
  type Witness,
  WITNESS_FILES,
} from '../../client/packages/packages.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { langOf } from '../../client/station-sentences.ts'
import { useWitnessProblems } from '../../client/witness-problems.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button } from '../../ui/button/button.tsx'
import { FingerprintDigits } from '../../ui/fingerprint/fingerprint.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Problem } from '../../ui/problem/problem.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './packages.module.css'

type Kind = Witness['Kind']
/** In the order in which VERIFY.txt checks them. */
const KINDS = ['signature', 'timestamp', 'cosignature'] as const satisfies readonly Kind[]
const MISSING = { timestamp: 'noTimestamp', signature: 'noSignature', cosignature: 'noCosignature' } as const
const ADDED = { timestamp: 'askedTimestamp', signature: 'askedSignature', cosignature: 'askedCosignature' } as const
const COMMANDS = { timestamp: 'timestamp', signature: 'sign', cosignature: 'cosign' } as const

/** Timestamp, signature of the agency and co-signatures of a package; of what is missing the reason, and a way to get it. Nothing where none is set. */
export function Witnesses({ one }: { readonly one: Package }) {
  const { t } = useTranslation('packages')
  const found = KINDS.filter((kind) => one.Witnesses.some(({ Kind }) => Kind === kind))
  if (found.length === 0) return null
  return (
    <ul className={styles['witnesses']} aria-label={t('witnesses')}>
      {found.map((kind) => (
        <OfKind key={kind} one={one} kind={kind} />
      ))}
    </ul>
  )
}

function OfKind({ one, kind }: { readonly one: Package; readonly kind: Kind }) {
  const all = one.Witnesses.filter(({ Kind }) => Kind === kind)
  const there = all.filter(({ Problem: problem }) => problem === null)
  const missing = all.filter(({ Problem: problem }) => problem !== null)
  return (
    <>
      {there.map((witness) => (
        <li key={witness.KeyFingerprint ?? kind} className={styles['witness']}>
          <There witness={witness} />
        </li>
      ))}
      {there.some(({ IsBeside }) => IsBeside) && one.CanDownload && <Beside one={one} kind={kind} />}
      {missing.length > 0 && <Missing one={one} kind={kind} missing={missing} />}
    </>
  )
}

function There({ witness: { Kind: kind, By, UtcTime, KeyFingerprint } }: { readonly witness: Witness }) {
  const { t } = useTranslation('packages')
  const format = useFormat()
  const by = visible(By ?? '')
  const time = UtcTime === null ? '' : format.instant(UtcTime, { precision: 'minute' })
  if (kind === 'timestamp') return <bdi title={by}>{t('stamped', { time, by: commonName(by) })}</bdi>
  if (kind === 'signature') return <bdi title={by}>{t('signedFor', { by: commonName(by) })}</bdi>
  return (
    <details className={styles['proof']}>
      <summary className={styles['summary']}>
        <bdi>{t('cosigned', { time, by })}</bdi>
      </summary>
      <FingerprintDigits value={KeyFingerprint ?? ''} of={t('cosignerKey')} />
      <p className={styles['second']}>{t('cosignerKeyHow')}</p>
    </details>
  )
}

/** Of a name as certificates write it (`O=…, CN=…`), what people call it. */
const commonName = (name: string): string => /(?:^|, )CN=([^,=]+)(?:,|$)/.exec(name)?.[1] ?? name

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replace(/([^.])$/, '$1.')

function Beside({ one: { PackageId }, kind }: { readonly one: Package; readonly kind: Kind }) {
  const { t } = useTranslation('packages')
  const { tenant } = useSession()
  const { busy, error, run } = useAct()
  return (
    <li className={styles['witness']}>
      <p className={styles['second']}>{t('witnessBeside')}</p>
      <Button size="small" icon="download" busy={busy} onPress={() => run(() => saveWitness(tenant, PackageId, kind))}>
        {t('saveWitness', { file: WITNESS_FILES[kind] })}
      </Button>
      {error !== null && <Problem error={error} title={t('notSaved')} said={saidOf(error)} />}
    </li>
  )
}

interface MissingProps {
  readonly one: Package
  readonly kind: Kind
  readonly missing: readonly Witness[]
}

function Missing({ one: { PackageId, CanDownload, Drive }, kind, missing }: MissingProps) {
  const { t } = useTranslation('packages')
  const { tenant } = useSession()
  const changed = usePackagesChanged()
  const { busy, error, run } = useAct()
  const say = useWitnessProblems()
  const ask = async (): Promise<void> => {
    await askPackageWitness(tenant, PackageId, kind).finally(changed)
    toasts.show({ text: t(ADDED[kind]) })
  }
  return (
    <li className={styles['witness']}>
      <p className={styles['why']}>{t(MISSING[kind])}</p>
      {missing.map(({ By, Problem: problem }) => (
        <p key={By ?? kind} className={styles['second']} lang={langOf(say(problem ?? ''), problem ?? '')} dir="auto">
          {visible([By, sentence(say(problem ?? ''))].filter(Boolean).join(': '))}
        </p>
      ))}
      {CanDownload || Drive !== null ? (
        <Button size="small" icon="refresh" busy={busy} onPress={() => run(ask)}>
          {t('askAgain')}
        </Button>
      ) : (
        <p className={styles['second']}>
          {t('askOnCommandLine', { command: `sallyport package ${COMMANDS[kind]} ${packageNumber(PackageId)}` })}
        </p>
      )}
      {error !== null && <Problem error={error} title={t('notAsked')} said={saidOf(error)} />}
    </li>
  )
}
