import { dayIn, noonOf } from '../../../shared/kernel/days.ts'
import {
  DISCLOSURE_MEDIA,
  LONGEST_REASON,
  RECIPIENT_ROLES,
  type RecipientRole,
  seesSensitive,
} from '../../../shared/disclosure/kinds.ts'
import type { Summary } from '../../client/disclosure/disclosure.ts'
import { useTranslation } from '../../client/translate.ts'
import { DateTimeField } from '../../ui/date-time/date-time.tsx'
import { TextArea, TextField } from '../../ui/field/field.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { Select } from '../../ui/select/select.tsx'
import { isKnown, type Mode, type PartProps } from './form.ts'
import styles from './form.module.css'

interface RecipientProps extends PartProps {
  readonly mode: Mode
  readonly records: readonly Summary[]
  /** To whom nothing is given before a second person approved it. */
  readonly approvalFor: readonly RecipientRole[]
}

/** Who gets it, by what, and who asked for it. */
export function RecipientPart({ form, change, mode, records, approvalFor }: RecipientProps) {
  const { t } = useTranslation('disclosure')
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>{t('recipient')}</legend>
      {mode.kind !== 'supplement' && (
        <div className={styles['three']}>
          <TextField
            label={t('name')}
            value={form.name}
            onChange={(name) => change({ name })}
            maxLength={256}
            description={mode.kind === 'new' && isKnown(form, records) ? t('knownRecipient') : undefined}
            required
            autoFocus={mode.kind === 'new' || mode.kind === 'answer' || mode.kind === 'again'}
          />
          <TextField
            label={t('organisation')}
            value={form.organisation}
            onChange={(organisation) => change({ organisation })}
            maxLength={256}
          />
          <Select
            label={t('role')}
            value={form.role}
            onChange={(role) => change({ role })}
            options={RECIPIENT_ROLES.map((id) => ({ id, label: t(id) }))}
            description={[
              t(seesSensitive(form.role) ? 'roleSensitive' : 'roleOthers'),
              ...(approvalFor.includes(form.role) ? [t('roleNeedsApproval')] : []),
            ].join(' ')}
          />
        </div>
      )}
      <TextArea
        label={t('authority')}
        description={t('authorityHow')}
        value={form.authority}
        onChange={(authority) => change({ authority })}
        rows={2}
        maxLength={LONGEST_REASON}
        required
        autoFocus={mode.kind === 'supplement'}
      />
      <div className={styles['three']}>
        <TextField
          label={t('requestNumber')}
          value={form.requestNumber}
          onChange={(requestNumber) => change({ requestNumber })}
          maxLength={128}
        />
        <Day label={t('requestDate')} value={form.requestDate} onChange={(requestDate) => change({ requestDate })} />
        <Day label={t('requestDue')} value={form.requestDue} onChange={(requestDue) => change({ requestDue })} />
      </div>
    </fieldset>
  )
}

interface DayProps {
  readonly label: string
  /** A day of the calendar. */
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}

export function Day({ label, value, onChange }: DayProps) {
  const { zone } = useFormat()
  return (
    <DateTimeField
      label={label}
      zone={zone}
      precision="day"
      value={value === null ? null : noonOf(value, zone)}
      onChange={(at) => onChange(at === null ? null : dayIn(zone, at))}
    />
  )
}

/** On what it goes out, and when. */
export function HowPart({ form, change, isProposal }: PartProps & { readonly isProposal: boolean }) {
  const { t } = useTranslation('disclosure')
  const { zone } = useFormat()
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>{t('mediumHow')}</legend>
      <div className={styles['three']}>
        <Select
          label={t('medium')}
          value={form.medium}
          onChange={(medium) => change({ medium })}
          options={DISCLOSURE_MEDIA.map((id) => ({ id, label: t(id) }))}
        />
        <TextField label={t('serial')} value={form.serial} onChange={(serial) => change({ serial })} maxLength={128} />
        {!isProposal && (
          <DateTimeField
            label={t('when')}
            description={t('whenHow')}
            zone={zone}
            precision="minute"
            value={form.given}
            onChange={(given) => change({ given })}
          />
        )}
      </div>
    </fieldset>
  )
}
