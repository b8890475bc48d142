import { useState } from 'react'
import { seesSensitive } from '../../../shared/disclosure/kinds.ts'
import type { Disclosures } from '../../client/disclosure/disclosure.ts'
import type { Package } from '../../client/packages/packages.ts'
import { useTranslation } from '../../client/translate.ts'
import { Button } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/field/choice.tsx'
import { SearchField } from '../../ui/field/field.tsx'
import { RadioGroup } from '../../ui/field/radio-group.tsx'
import { useFormat } from '../../ui/format/use-format.tsx'
import { visible } from '../../ui/format/visible.ts'
import { Select } from '../../ui/select/select.tsx'
import type { PartProps } from './form.ts'
import styles from './form.module.css'
import type { EvidenceOfCase } from './queries.ts'

interface GivenProps extends PartProps {
  readonly evidence: readonly EvidenceOfCase[]
  readonly packages: readonly Package[]
  readonly restricted: Disclosures['Restricted']
}

/** A package that was made, or evidence whose originals were handed over. */
export function GivenPart({ form, change, evidence, packages, restricted }: GivenProps) {
  const { t } = useTranslation('disclosure')
  return (
    <fieldset className={styles['part']}>
      <legend className={styles['legend']}>{t('what')}</legend>
      <RadioGroup
        label={t('what')}
        hideLabel
        value={form.source}
        onChange={(source) => change({ source })}
        options={[
          { id: 'package' as const, label: t('ofPackage'), description: t('ofPackageHow') },
          { id: 'evidence' as const, label: t('ofEvidence'), description: t('ofEvidenceHow') },
        ]}
      />
      {form.source === 'package' ? (
        <PackageChoice form={form} change={change} packages={packages} />
      ) : (
        <EvidenceChoice form={form} change={change} evidence={evidence} restricted={restricted} />
      )}
    </fieldset>
  )
}

const FOR = { prosecution: 'forProsecution', defence: 'forDefence', court: 'forCourt' } as const

function PackageChoice({ form, change, packages }: PartProps & Pick<GivenProps, 'packages'>) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  if (packages.length === 0) return <p className={styles['second']}>{t('packageNone')}</p>
  const sensitive = seesSensitive(form.role)
  return (
    <Select
      label={t('package')}
      placeholder={t('packageChoose')}
      value={form.packageId}
      onChange={(packageId) => change({ packageId })}
      options={packages.map((one) => ({
        id: one.PackageId,
        label: t('packageLine', {
          for: t(FOR[one.Variant]),
          time: format.instant(one.CreatedUtcTime, { precision: 'minute' }),
          size: format.bytes(one.Bytes),
        }),
        why: sensitive || one.Variant === 'defence' ? undefined : t('packageBarred'),
      }))}
    />
  )
}

/** So many are drawn; the others are found by their names. */
const MOST_SHOWN = 100

function EvidenceChoice({
  form,
  change,
  evidence,
  restricted,
}: PartProps & Pick<GivenProps, 'evidence' | 'restricted'>) {
  const { t } = useTranslation('disclosure')
  const format = useFormat()
  const [text, setText] = useState('')
  // What was chosen here and may not go any more can still be left out, and keeps the focus when it is.
  const [known, setKnown] = useState<ReadonlySet<string>>(() => new Set(form.evidenceIds))
  if (evidence.length === 0) return <p className={styles['second']}>{t('evidenceEmpty')}</p>
  const kinds = new Map(restricted.map(({ EvidenceId, Kinds }) => [EvidenceId, Kinds]))
  const whyNot = ({ id, mayDownload }: EvidenceOfCase): string | undefined => {
    const of = kinds.get(id)
    if (of !== undefined) return t('barredRestricted', { kinds: of.map((kind) => t(kind)).join(', ') })
    return mayDownload ? undefined : t('noDownload')
  }
  const chosen = new Set(form.evidenceIds)
  const wanted = text.trim().toLowerCase()
  const found = evidence.filter(({ name }) => wanted === '' || name.toLowerCase().includes(wanted))
  const set = (ids: Iterable<string>): void => {
    const now = new Set(ids)
    setKnown(new Set([...known, ...now]))
    change({ evidenceIds: evidence.flatMap(({ id }) => (now.has(id) ? [id] : [])) })
  }
  const toggle = (id: string, on: boolean): void => set(on ? [...chosen, id] : [...chosen].filter((one) => one !== id))
  return (
    <div className={styles['choice']}>
      <div className={styles['tools']}>
        {evidence.length > 8 && (
          <SearchField
            label={t('evidenceFind')}
            hideLabel
            placeholder={t('evidenceFind')}
            value={text}
            onChange={setText}
          />
        )}
        <span className={styles['second']} role="status">
          {t('chosen', { count: chosen.size, shown: format.count(chosen.size), total: format.count(evidence.length) })}
        </span>
        <Button
          size="small"
          kind="quiet"
          onPress={() => set([...chosen, ...found.filter((one) => whyNot(one) === undefined).map(({ id }) => id)])}
        >
          {t('chooseAll')}
        </Button>
        <Button size="small" kind="quiet" onPress={() => set([])}>
          {t('chooseNone')}
        </Button>
      </div>
      <div role="group" aria-label={t('evidence')} className={styles['list']}>
        {found.slice(0, MOST_SHOWN).map((one) => (
          <Checkbox
            key={one.id}
            checked={chosen.has(one.id)}
            onChange={(on) => toggle(one.id, on)}
            {...(known.has(one.id) || chosen.has(one.id) ? { description: whyNot(one) } : { why: whyNot(one) })}
          >
            <bdi>{visible(one.name)}</bdi>
          </Checkbox>
        ))}
        {found.length > MOST_SHOWN && (
          <p className={styles['second']}>{t('evidenceMore', { shown: format.count(found.length - MOST_SHOWN) })}</p>
        )}
      </div>
    </div>
  )
}
