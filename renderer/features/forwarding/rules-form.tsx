import { useState } from 'react'
import * as contract from '../../../shared/forwarding/contract.ts'
import { call } from '../../client/api.ts'
import { useSession } from '../../client/session.tsx'
import { useTranslation } from '../../client/translate.ts'
import { useAct } from '../../ui/act/use-act.ts'
import { Button, IconButton } from '../../ui/button/button.tsx'
import { Checkbox } from '../../ui/field/choice.tsx'
import { TextField } from '../../ui/field/field.tsx'
import { NumberField } from '../../ui/field/number-field.tsx'
import { visible } from '../../ui/format/visible.ts'
import { FormSection } from '../../ui/layout/overview.tsx'
import { Problem } from '../../ui/problem/problem.tsx'
import { Select } from '../../ui/select/select.tsx'
import { toasts } from '../../ui/toast/toast.tsx'
import styles from './forwarding.module.css'
import { type Headquarters, type Rules, useCategories, useRefreshed } from './queries.ts'

type Window = Rules['Windows'][number]
const NIGHTS: Window = { Days: [0, 1, 2, 3, 4, 5, 6], From: '22:00', To: '06:00' }
/** Monday first; 0 is Sunday. */
const DAYS = [1, 2, 3, 4, 5, 6, 0] as const
const DAY_WORDS = ['daySun', 'dayMon', 'dayTue', 'dayWed', 'dayThu', 'dayFri', 'daySat'] as const

/** What is forwarded, when, how fast, and what is cleared here afterwards. Validated by the contract. */
export function RulesForm({ headquarters }: { readonly headquarters: Headquarters }) {
  const { t } = useTranslation('forwarding')
  const { tenant } = useSession()
  const refreshed = useRefreshed()
  const { busy, error, run } = useAct()
  const [rules, setRules] = useState<Rules>(headquarters.Rules)
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Rules>): void => setRules((now) => ({ ...now, ...change }))
  const checked = contract.ForwardingRules.safeParse(rules)
  const isChanged = JSON.stringify(rules) !== JSON.stringify(headquarters.Rules)
  const save = (): void => {
    setTried(true)
    if (busy || !checked.success) return
    run(
      () => refreshed(call(contract.putForwardingRules, { params: { tenantName: tenant }, body: rules })),
      () => toasts.show({ text: t('saved') }),
    )
  }
  return (
    <FormSection title={t('rules')} onSubmit={save}>
      <Checkbox checked={rules.Paused} onChange={(Paused) => set({ Paused })} description={t('pausedHow')}>
        {t('paused')}
      </Checkbox>
      <h3 className={styles['small']}>{t('what')}</h3>
      <p className={styles['words']}>{t('whatLead')}</p>
      <Checkbox checked={rules.Everything} onChange={(Everything) => set({ Everything })}>
        {t('everything')}
      </Checkbox>
      {!rules.Everything && <Grounds rules={rules} set={set} />}
      <Checkbox checked={rules.WithCases} onChange={(WithCases) => set({ WithCases })} description={t('withCasesHow')}>
        {t('withCases')}
      </Checkbox>
      <Windows rules={rules} set={set} tried={tried} timeZone={headquarters.Station.TimeZone} />
      <h3 className={styles['small']}>{t('how')}</h3>
      <Limited
        label={t('pace')}
        field={t('paceField')}
        value={rules.MegabitsPerSecond}
        first={10}
        min={0.1}
        max={100_000}
        onChange={(MegabitsPerSecond) => set({ MegabitsPerSecond })}
      />
      <Select<Rules['Order']>
        label={t('order')}
        value={rules.Order}
        onChange={(Order) => set({ Order })}
        options={[
          { id: 'oldest', label: t('orderOldest') },
          { id: 'newest', label: t('orderNewest') },
          { id: 'smallest', label: t('orderSmallest') },
        ]}
      />
      <h3 className={styles['small']}>{t('clearing')}</h3>
      <Limited
        label={t('clear')}
        description={t('clearHow')}
        field={t('clearField')}
        value={rules.ClearAfterDays}
        first={30}
        min={0}
        max={36_525}
        onChange={(ClearAfterDays) => set({ ClearAfterDays })}
      />
      {error !== null && <Problem error={error} title={t('notSaved')} />}
      <div className={styles['acts']}>
        <Button kind="main" type="submit" busy={busy} {...(isChanged ? {} : { why: t('nothingChanged') })}>
          {t('save')}
        </Button>
      </div>
    </FormSection>
  )
}

interface PartProps {
  readonly rules: Rules
  readonly set: (change: Partial<Rules>) => void
}

function Grounds({ rules, set }: PartProps) {
  const { t } = useTranslation('forwarding')
  const categories = useCategories().data ?? []
  const toggle = (id: string, on: boolean): void =>
    set({ CategoryIds: on ? [...rules.CategoryIds, id] : rules.CategoryIds.filter((one) => one !== id) })
  return (
    <div className={styles['inner']}>
      <Checkbox checked={rules.InCase} onChange={(InCase) => set({ InCase })}>
        {t('inCase')}
      </Checkbox>
      <Limited
        label={t('afterDays')}
        field={t('afterDaysField')}
        value={rules.AfterDays}
        first={30}
        min={0}
        max={36_525}
        onChange={(AfterDays) => set({ AfterDays })}
      />
      {categories.length > 0 && (
        <fieldset className={styles['group']}>
          <legend className={styles['words']}>{t('categories')}</legend>
          {categories.map(({ CategoryId, Name }) => (
            <Checkbox
              key={CategoryId}
              checked={rules.CategoryIds.includes(CategoryId)}
              onChange={(on) => toggle(CategoryId, on)}
            >
              <bdi>{visible(Name ?? CategoryId)}</bdi>
            </Checkbox>
          ))}
        </fieldset>
      )}
    </div>
  )
}

interface LimitedProps {
  readonly label: string
  readonly description?: string
  readonly field: string
  readonly value: number | null
  /** What stands in the field at first. */
  readonly first: number
  readonly min: number
  readonly max: number
  readonly onChange: (value: number | null) => void
}

/** A number, or no such limit. */
function Limited({ label, description, field, value, first, min, max, onChange }: LimitedProps) {
  return (
    <>
      <Checkbox checked={value !== null} onChange={(on) => onChange(on ? first : null)} description={description}>
        {label}
      </Checkbox>
      {value !== null && (
        <div className={styles['inner']}>
          <NumberField
            label={field}
            min={min}
            max={max}
            required
            value={value}
            onChange={(typed) => onChange(Number.isNaN(typed) ? first : typed)}
          />
        </div>
      )}
    </>
  )
}

function Windows({ rules, set, tried, timeZone }: PartProps & { readonly tried: boolean; readonly timeZone: string }) {
  const { t } = useTranslation('forwarding')
  const change = (at: number, to: Window | null): void =>
    set({ Windows: rules.Windows.flatMap((one, index) => (index === at ? (to === null ? [] : [to]) : [one])) })
  return (
    <>
      <h3 className={styles['small']}>{t('when')}</h3>
      <p className={styles['words']}>
        {rules.Windows.length === 0 ? t('whenAlways') : t('whenLead', { zone: timeZone })}
      </p>
      {rules.Windows.map((window, at) => (
        // Windows have no name of their own; their place is what they are known by.
        // oxlint-disable-next-line react/no-array-index-key
        <fieldset key={at} className={styles['window']}>
          <legend className={styles['words']}>{t('window', { number: at + 1 })}</legend>
          <div className={styles['days']}>
            {DAYS.map((day) => (
              <Checkbox
                key={day}
                checked={window.Days.includes(day)}
                onChange={(on) =>
                  change(at, { ...window, Days: on ? [...window.Days, day] : window.Days.filter((one) => one !== day) })
                }
              >
                {t(DAY_WORDS[day])}
              </Checkbox>
            ))}
          </div>
          <div className={styles['times']}>
            <TextField
              label={t('from')}
              value={window.From}
              onChange={(From) => change(at, { ...window, From })}
              maxLength={5}
              required
              {...(tried && !isClock(window.From) ? { error: t('clockBad') } : {})}
            />
            <TextField
              label={t('to')}
              value={window.To}
              onChange={(To) => change(at, { ...window, To })}
              maxLength={5}
              required
              {...(tried && !isClock(window.To) ? { error: t('clockBad') } : {})}
            />
            <IconButton label={t('windowRemove', { number: at + 1 })} icon="x" onPress={() => change(at, null)} />
          </div>
          {tried && window.Days.length === 0 && <p className={styles['wrong']}>{t('daysMissing')}</p>}
        </fieldset>
      ))}
      <div className={styles['acts']}>
        <Button size="small" icon="plus" onPress={() => set({ Windows: [...rules.Windows, NIGHTS] })}>
          {t('windowAdd')}
        </Button>
      </div>
    </>
  )
}

const isClock = (text: string): boolean => contract.ForwardingWindow.shape.From.safeParse(text).success
