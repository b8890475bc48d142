import { LONGEST_REASON, MOST_WITHHELD, WITHHELD_BASES } from '../../../shared/disclosure/kinds.ts'
import type { Disclosures } from '../../client/disclosure/disclosure.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { TextArea } from '../../ui/field/field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Segments } from '../../ui/segments/segments.tsx'
import { EvidencePick } from './evidence-pick.tsx'
import { EMPTY_LINE, type PartProps, type WithheldLine } from './form.ts'
import styles from './form.module.css'
import type { EvidenceOfCase } from './queries.ts'
import { nameOf } from './labels.ts'

interface WithheldProps extends PartProps {
  readonly evidence: readonly EvidenceOfCase[]
  readonly restricted: Disclosures['Restricted']
}

/** What is kept back, on which schedule, and why. What is restricted is there by itself. */
export function WithheldPart({ form, change, evidence, restricted }: WithheldProps) {
  const { t } = useTranslation('disclosure')
  const names = new Map(evidence.map(({ id, name }) => [id, name]))
  const barred = new Set(restricted.map(({ EvidenceId }) => EvidenceId))
  const { withheld } = form
  const named = new Set(withheld.flatMap(({ evidenceId, resourceId }) => (resourceId === null ? [evidenceId] : [])))
  const byItself = restricted.filter(({ EvidenceId }) => !named.has(EvidenceId))
  const set = (at: number, what: Partial<WithheldLine>): void => {
    // The schedule of sensitive material is the only one for what is restricted.
    const basis = barred.has(what.evidenceId ?? '') ? ({ basis: 'MG6D' } as const) : {}
    change({ withheld: withheld.map((line, one) => (one === at ? { ...line, ...what, ...basis } : line)) })
  }
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>{t('withheld')}</legend>
      <p className={styles['second']}>{t('withheldHow')}</p>
      {byItself.length > 0 && (
        <p className={styles['second']}>
          {t('withheldAuto', { names: byItself.map(({ EvidenceId }) => nameOf(names, EvidenceId, t)).join(', ') })}
        </p>
      )}
      {withheld.map((line, at) => (
        <Line
          // Lines have no name of their own: the order is who they are.
          key={`${withheld.length} ${at}`}
          line={line}
          no={at + 1}
          evidence={evidence}
          isRestricted={barred.has(line.evidenceId ?? '')}
          onChange={(what) => set(at, what)}
          onRemove={() => change({ withheld: withheld.filter((_, one) => one !== at) })}
        />
      ))}
      {withheld.length < MOST_WITHHELD && (
        <div>
          <Button size="small" icon="plus" onPress={() => change({ withheld: [...withheld, EMPTY_LINE] })}>
            {t('withholdDots')}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface LineProps {
  readonly line: WithheldLine
  readonly no: number
  readonly evidence: readonly EvidenceOfCase[]
  readonly isRestricted: boolean
  readonly onChange: (what: Partial<WithheldLine>) => void
  readonly onRemove: () => void
}

function Line({ line, no, evidence, isRestricted, onChange, onRemove }: LineProps) {
  const { t } = useTranslation('disclosure')
  const label = t('withheldItem', { no })
  const choose = (evidenceId: string | null): void => {
    const name = evidence.find(({ id }) => id === evidenceId)?.name ?? ''
    onChange({
      evidenceId,
      resourceId: null,
      ...(line.description.trim() === '' ? { description: visible(name) } : {}),
    })
  }
  return (
    <div role="group" aria-label={label} className={styles['line']}>
      <div className={styles['lineHead']}>
        <strong>{label}</strong>
        {line.resourceId !== null && <span className={styles['second']}>{t('itemOneFile')}</span>}
        <IconButton icon="x" size="small" kind="quiet" label={t('withheldRemove', { no })} onPress={onRemove} />
      </div>
      <div className={styles['two']}>
        <EvidencePick label={t('item')} evidence={evidence} value={line.evidenceId} onChange={choose} required />
        <div className={styles['basis']}>
          <span className={styles['label']} aria-hidden="true">
            {t('basis')}
          </span>
          <Segments
            label={t('basis')}
            value={line.basis}
            onChange={(basis) => onChange({ basis })}
            segments={WITHHELD_BASES.filter((id) => !isRestricted || id === line.basis).map((id) => ({
              id,
              label: t(id === 'MG6C' ? 'mg6cShort' : 'mg6dShort'),
            }))}
          />
        </div>
        <Text
          label={t('description')}
          how={t('descriptionHow')}
          value={line.description}
          onChange={(description) => onChange({ description })}
        />
        <Text label={t('ground')} value={line.ground} onChange={(ground) => onChange({ ground })} />
      </div>
      {line.basis === 'MG6D' && (
        <Text label={t('reasons')} value={line.reasons} onChange={(reasons) => onChange({ reasons })} />
      )}
    </div>
  )
}

interface TextProps {
  readonly label: string
  readonly how?: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const Text = ({ label, how, value, onChange }: TextProps) => (
  <TextArea
    label={label}
    description={how}
    value={value}
    onChange={onChange}
    rows={2}
    maxLength={LONGEST_REASON}
    required
  />
)
