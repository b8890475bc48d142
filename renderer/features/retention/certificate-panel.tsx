import { useTranslation } from '../../client/translate.ts'
import * as contract from '../../../shared/retention/disposition.contract.ts'
import { addressOf } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { IconButton, LinkButton } from '../../ui/button/button.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Hash } from '../../ui/hash/hash.tsx'
import { certificateRule } from './columns.tsx'
import type { Certificate } from './queries.ts'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { SidePane } from '../../ui/layout/two-pane.tsx'
import styles from './disposition.module.css'
import { nameOf } from './labels.ts'

const PARTS = [
  ['certificate.json', 'partBody'],
  ['certificate.sig', 'partSignature'],
  ['key.pem', 'partKey'],
] as const

/** What is left of a destroyed evidence, and how to check it with plain tools. */
export function CertificatePanel({ one, onClose }: { readonly one: Certificate; readonly onClose: () => void }) {
  const { t } = useTranslation('disposition')
  const { tenant } = useSession()
  const format = useFormat()
  const id = one.CertificateId
  const title = t('certificateTitle', { id })
  const file = (part: string): string => `${id}-${part}`
  return (
    <SidePane label={title} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <header className={styles['panelHead']}>
        <h2 className={styles['panelTitle']}>{title}</h2>
        <span className={styles['cross']}>
          <IconButton label={t('close')} icon="x" size="small" tooltip={false} onPress={onClose} />
        </span>
      </header>
      <div className={styles['scroll']} tabIndex={-1}>
        <section className={styles['section']}>
          <p className={styles['second']}>{t('certificateOf', { id: one.EvidenceId })}</p>
          <FactList className={styles['facts']}>
            <dt>{t('evidence')}</dt>
            <dd>
              <bdi>{visible(one.Name)}</bdi>
            </dd>
            {one.Cases.length > 0 && (
              <>
                <dt>{t('cases')}</dt>
                <dd>{one.Cases.map(({ Ordinal }) => Ordinal).join(', ')}</dd>
              </>
            )}
            <dt>{t('rule')}</dt>
            <dd>{certificateRule(one, t)}</dd>
            <dt>{t('size')}</dt>
            <dd>
              {t('files', { count: one.Files, shown: format.count(one.Files) })} · {format.bytes(one.Bytes)}
            </dd>
            <dt>{t('destroyedOn')}</dt>
            <dd>{format.instant(one.DestroyedUtc, { precision: 'second', zone: true })}</dd>
            {one.Approvals.map((approval) => (
              <Approved key={approval.TimeUtc + approval.By.PrincipalId} approval={approval} />
            ))}
          </FactList>
        </section>
        {one.Snapshots !== null && <Snapshots known={one.Snapshots} />}
        <section className={styles['section']}>
          <h3 className={styles['sectionTitle']}>{t('hash')}</h3>
          <Hash value={one.Sha256} of={t('hash')} />
        </section>
        <section className={styles['section']}>
          <h3 className={styles['sectionTitle']}>{t('checkTitle')}</h3>
          <p className={styles['second']}>{t('checkBody')}</p>
          <pre className={styles['command']} tabIndex={0}>
            {`sha256sum ${file('certificate.json')}\nopenssl pkeyutl -verify -pubin -inkey ${file('key.pem')} \\\n  -rawin -in ${file('certificate.json')} \\\n  -sigfile ${file('certificate.sig')}`}
          </pre>
        </section>
      </div>
      <footer className={styles['parts']}>
        {PARTS.map(([part, words]) => (
          <LinkButton
            key={part}
            icon="download"
            size="small"
            download={file(part)}
            href={addressOf(contract.getCertificatePart, {
              params: { tenantName: tenant, certificateId: id, part },
            })}
          >
            {t(words)}
          </LinkButton>
        ))}
      </footer>
    </SidePane>
  )
}

/** Destruction ends in the store: what backups may keep, and until when, as it was known then. */
function Snapshots({ known }: { readonly known: NonNullable<Certificate['Snapshots']> }) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  const { UntilUtc, Elsewhere } = known
  return (
    <section className={styles['section']}>
      <h3 className={styles['sectionTitle']}>{t('snapshotsTitle')}</h3>
      <p className={styles['second']}>
        {UntilUtc === null && Elsewhere === 0 ? t('snapshotsNone') : t('snapshotsMayKeep')}
        {UntilUtc !== null && ` ${t('snapshotsUntil', { day: format.day(UntilUtc) })}`}
        {Elsewhere > 0 && ` ${t('snapshotsElsewhere')}`}
      </p>
    </section>
  )
}

function Approved({ approval: { By, Reason, TimeUtc } }: { readonly approval: Certificate['Approvals'][number] }) {
  const { t } = useTranslation('disposition')
  const format = useFormat()
  return (
    <>
      <dt>{t('approvedBy')}</dt>
      <dd>
        <bdi>{nameOf(By, t)}</bdi>, {format.instant(TimeUtc)}
        <small>{visible(Reason)}</small>
      </dd>
    </>
  )
}
