import { useTranslation } from '../../../client/translate.ts'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { KeyFigure, KeyFigures } from '../../../ui/layout/overview.tsx'
import { type Certificate, type Lan, leftWords, type Moving, standingOf } from './queries.ts'

/** Where, by what, for whom, and who: each with what it rests on. */
export function Facts({ lan, hosts }: { readonly lan: Lan; readonly hosts: readonly Moving[] | null }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  const [first, ...more] = lan.Origins
  const connected = hosts?.length ?? lan.Connected
  const refused = lan.Refused.Connections
  return (
    <KeyFigures firstWide>
      <KeyFigure label={t('factReach')} value={first ?? t('factReachNone')} title={first}>
        {first !== undefined && (more.length === 0 ? t('factOnly') : t('factMore', { count: more.length }))}
      </KeyFigure>
      <Ends label={t('factCertificate')} certificate={lan.Certificate} />
      <Ends label={t('factCa')} certificate={lan.Ca} />
      <KeyFigure label={t('factHosts')} value={t('factConnected', { count: connected })}>
        {refused === 0 ? t('factRefusedNone') : t('factRefused', { count: refused, shown: format.count(refused) })}
      </KeyFigure>
    </KeyFigures>
  )
}

function Ends({ label, certificate }: { readonly label: string; readonly certificate: Certificate | null }) {
  const { t } = useTranslation('network')
  const format = useFormat()
  if (certificate === null) return <KeyFigure label={label} value={t('factNone')} />
  const { NotAfterUtc, RenewsTimeUtc } = certificate
  return (
    <KeyFigure label={label} value={leftWords(certificate, t)} late={standingOf(certificate) !== 'good'}>
      {RenewsTimeUtc === null
        ? t('validTo', { when: format.day(NotAfterUtc) })
        : t('renews', { when: format.day(RenewsTimeUtc) })}
    </KeyFigure>
  )
}
