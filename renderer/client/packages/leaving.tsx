/** How a package leaves the station: kept there or written to a drive, in which form, and whether it is encrypted (docs/decisions/0034). */
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../../shared/packages/contract.ts'
import { type PackageForm, PASSPHRASE_LENGTH } from '../../../shared/packages/kinds.ts'
import { Checkbox } from '../../ui/field/choice.tsx'
import { PasswordField } from '../../ui/field/field.tsx'
import { RadioGroup } from '../../ui/field/radio-group.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Segments } from '../../ui/segments/segments.tsx'
import { call } from '../api.ts'
import { useSession } from '../session.tsx'
import { type Translate, useTranslation } from '../translate.ts'
import styles from './order.module.css'

type Places = z.output<typeof contract.PackagePlaces>

export interface Leaving {
  /** The drive to which it goes; null: it is kept at the station. */
  readonly DriveId: string | null
  readonly Form: PackageForm
  readonly isEncrypted: boolean
  readonly passphrase: Passphrase
}

export interface Passphrase {
  readonly first: string
  readonly again: string
}

export const EMPTY: Passphrase = { first: '', again: '' }
export const USUAL: Leaving = { DriveId: null, Form: 'zip', isEncrypted: false, passphrase: EMPTY }

/** Asked anew each time that somebody makes a package: a drive comes and goes. */
export function usePlaces(): Places | null {
  const { tenant } = useSession()
  const { data } = useQuery({
    queryKey: ['package-places'],
    queryFn: ({ signal }) => call(contract.listPackagePlaces, { params: { tenantId: tenant }, signal }),
    refetchInterval: 3_000,
    staleTime: 0,
  })
  return data ?? null
}

/** Why a package cannot begin with this passphrase; undefined: it can. */
export function passphraseProblem({ first, again }: Passphrase, t: Translate<'packages'>): string | undefined {
  if ([...first].length < PASSPHRASE_LENGTH) return t('passphraseShort', { count: PASSPHRASE_LENGTH })
  return first === again ? undefined : t('passphraseDiffers')
}

/** Whether the drive that was chosen is not connected any more. */
export const isGone = ({ DriveId }: Leaving, places: Places | null): boolean =>
  DriveId !== null && places?.Drives.every((one) => one.DriveId !== DriveId) === true

interface LeavingProps {
  readonly value: Leaving
  readonly places: Places | null
  readonly onChange: (value: Leaving) => void
}

export function LeavingFields({ value, places, onChange }: LeavingProps) {
  const { t } = useTranslation('packages')
  const format = useFormat()
  const drives = places?.Drives ?? []
  const change = (what: Partial<Leaving>): void => onChange({ ...value, ...what })
  const forms: readonly PackageForm[] = [
    ...(value.DriveId === null ? [] : (['folder'] as const)),
    'zip',
    ...(places?.DiscImages === false ? [] : (['iso'] as const)),
  ]
  const roomOn = (FreeBytes: number | null): string =>
    FreeBytes === null ? t('driveHow') : `${t('driveFree', { bytes: format.bytes(FreeBytes) })} ${t('driveHow')}`
  return (
    <>
      {(drives.length > 0 || value.DriveId !== null) && (
        <RadioGroup
          label={t('where')}
          error={isGone(value, places) ? t('driveGone') : undefined}
          value={value.DriveId ?? STATION}
          onChange={(id) => change(id === STATION ? { DriveId: null, Form: 'zip' } : { DriveId: id, Form: 'folder' })}
          options={[
            { id: STATION, label: t('atStation'), description: t('atStationHow') },
            ...drives.map(({ DriveId, Name, FreeBytes }) => ({
              id: DriveId,
              label: t('onDrive', { name: visible(Name) }),
              description: roomOn(FreeBytes),
            })),
          ]}
        />
      )}
      <div className={styles['segments']}>
        <span className={styles['legend']} aria-hidden="true">
          {t('form')}
        </span>
        <Segments
          label={t('form')}
          value={value.Form}
          onChange={(Form) => change({ Form })}
          segments={forms.map((id) => ({ id, label: t(id) }))}
        />
        <span className={styles['second']}>{t(`${value.Form}How`)}</span>
        {drives.length === 0 && <span className={styles['second']}>{t('noDrive')}</span>}
      </div>
      {places?.Containers === false ? (
        <p className={styles['second']}>{t('noContainers')}</p>
      ) : (
        <div className={styles['boxes']}>
          <Checkbox checked={value.isEncrypted} onChange={(isEncrypted) => change({ isEncrypted, passphrase: EMPTY })}>
            {t('encrypt')}
            <span className={styles['how']}>{t('encryptHow')}</span>
          </Checkbox>
          {value.isEncrypted && (
            <PassphraseFields value={value.passphrase} onChange={(passphrase) => change({ passphrase })} />
          )}
        </div>
      )}
    </>
  )
}

const STATION = 'station'

interface PassphraseProps {
  readonly value: Passphrase
  readonly onChange: (value: Passphrase) => void
}

export function PassphraseFields({ value, onChange }: PassphraseProps) {
  const { t } = useTranslation('packages')
  const differs = value.again !== '' && value.again !== value.first
  return (
    <div className={styles['passphrase']}>
      <PasswordField
        label={t('passphrase')}
        description={t('passphraseHow', { count: PASSPHRASE_LENGTH })}
        value={value.first}
        autoComplete="new-password"
        onChange={(first) => onChange({ ...value, first })}
      />
      <PasswordField
        label={t('passphraseAgain')}
        value={value.again}
        autoComplete="new-password"
        error={differs ? t('passphraseDiffers') : undefined}
        onChange={(again) => onChange({ ...value, again })}
      />
    </div>
  )
}
