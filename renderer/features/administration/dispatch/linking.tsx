import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/correlation/contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { takeAnswer } from '../../../client/take-answer.ts'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { NumberField } from '../../../ui/field/number-field.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { Problem } from '../problem.tsx'
import styles from './cad.module.css'

type Rules = z.output<typeof contract.CorrelationRulesModel>

const keyOf = (tenant: string) => ['administration', 'cad', 'rules', tenant]

/** By which rules recordings are linked to calls (decisions 8): the first one always, two further ones where they are turned on. */
export default function Linking() {
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(tenant),
    queryFn: ({ signal }) => call(contract.getRules, { params: { tenantId: tenant }, signal }),
  })
  return (
    <div className={styles['scroll']}>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <Skeleton lines={6} /> : <Form key={JSON.stringify(data)} rules={data} />}
    </div>
  )
}

function Form({ rules }: { readonly rules: Rules }) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(rules)
  const { busy, error, run } = useAct()
  const { RadiusMetres: radius } = draft.Place
  const fits = contract.CorrelationRulesModel.safeParse(draft).success
  const changed = JSON.stringify(draft) !== JSON.stringify(rules)
  const save = async (): Promise<void> => {
    const answer = await call(contract.putRules, { params: { tenantId: tenant }, body: draft })
    await takeAnswer<Rules>(queries, keyOf(tenant), () => answer)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!busy && changed && fits) run(save, () => toasts.show({ text: t('rulesSaved') }))
  }
  const place = (what: Partial<Rules['Place']>): void => setDraft({ ...draft, Place: { ...draft.Place, ...what } })
  return (
    <form className={styles['part']} onSubmit={submit} aria-labelledby="cad-linking">
      <h2 id="cad-linking" className={styles['partTitle']}>
        {t('linkingTitle')}
      </h2>
      <p className={styles['ruleLead']}>{t('linkingLead')}</p>
      <div className={styles['rule']}>
        <p className={styles['strong']}>{t('ruleAlways')}</p>
        <p>{t('ruleOfficer')}</p>
      </div>
      <div className={styles['rule']}>
        <Checkbox
          checked={draft.Place.Enabled}
          onChange={(Enabled) => place({ Enabled })}
          description={t('rulePlaceHow')}
        >
          {t('rulePlace')}
        </Checkbox>
        {draft.Place.Enabled && (
          <div className={styles['ruleFigure']}>
            <NumberField
              label={t('ruleRadius')}
              value={radius}
              onChange={(RadiusMetres) => place({ RadiusMetres })}
              min={contract.RADIUS.least}
              max={contract.RADIUS.most}
              unit="m"
              error={fits ? undefined : t('ruleRadiusBad')}
            />
          </div>
        )}
      </div>
      <div className={styles['rule']}>
        <Checkbox
          checked={draft.Number.Enabled}
          onChange={(Enabled) => setDraft({ ...draft, Number: { Enabled } })}
          description={t('ruleNumberHow')}
        >
          {t('ruleNumber')}
        </Checkbox>
      </div>
      {changed && <p role="status">{t('rulesEffect')}</p>}
      {error !== null && <Problem error={error} title={t('rulesFailed')} />}
      <div className={styles['line']}>
        <Button kind="main" type="submit" busy={busy} why={changed ? undefined : t('rulesUnchanged')}>
          {t('rulesSave')}
        </Button>
        {changed && <Button onPress={() => setDraft(rules)}>{t('rulesBack')}</Button>}
      </div>
    </form>
  )
}
