import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import { DEVICE_FIELDS } from '../../../../shared/devices/fields.ts'
import { isDeviceType } from '../../../../shared/devices/models.contract.ts'
import { useMay } from '../../../client/rights.ts'
import { Button } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { Barred, usePageTitle } from '../barred.tsx'
import { type TypeConfiguration, useDevices, useTypeConfigurations } from '../queries.ts'
import styles from '../devices.module.css'
import { ActDialog, Problem } from '../problem.tsx'
import { typeWords } from '../labels.ts'
import { TypeEditor } from './type-editor.tsx'
import own from './types.module.css'

/** What is expected of every device of a type that has nothing of its own. */
export function DeviceTypesPage() {
  const { t } = useTranslation('devices')
  usePageTitle(t('types'))
  return useMay('ManageDevices') ? <Types /> : <Barred />
}

interface OneType {
  readonly type: string
  readonly devices: number
  /** null: nothing is expected of it. */
  readonly set: TypeConfiguration | null
}

const NOTHING_ASKED = {}

function Types() {
  const { t } = useTranslation('devices')
  const navigate = useNavigate({ from: '/devices/types' })
  const { open } = useSearch({ from: '/devices/types' })
  const { data, error, refetch } = useTypeConfigurations()
  const { newest } = useDevices(NOTHING_ASKED)
  const [naming, setNaming] = useState(false)
  const show = (type: string): void => void navigate({ search: { open: type } })
  if (data === undefined || newest === null)
    return (
      <div className={styles['page']}>
        {error === null ? <Skeleton lines={6} /> : <Problem error={error} onRetry={() => void refetch()} />}
      </div>
    )
  const types = typesOf(data, newest.Types, open)
  const one = types.find(({ type }) => type === open)
  return (
    <div className={own['types']}>
      <div className={own['typeList']}>
        <header className={own['typeHead']}>
          <h1 className={styles['title']}>{t('types')}</h1>
          <Button icon="plus" size="small" onPress={() => setNaming(true)}>
            {t('typeNew')}
          </Button>
        </header>
        <p className={own['typeLead']}>{t('typesLead')}</p>
        <nav aria-label={t('types')} className={own['typeLinks']} data-region>
          {types.map(({ type, devices, set }) => (
            <Link
              key={type}
              to="/devices/types"
              search={{ open: type }}
              className={own['typeLink']}
              {...(type === open ? { 'aria-current': 'true' as const } : {})}
            >
              <bdi>{typeWords(type, t)}</bdi>
              <span className="muted">
                {t('typeDevices', { count: devices })} · {t(set === null ? 'typeUnset' : 'typeSet')}
              </span>
            </Link>
          ))}
        </nav>
      </div>
      <div className={own['typeWork']}>
        {one === undefined ? (
          <EmptyState title={t(types.length === 0 ? 'typesNone' : 'typeChoose')}>{t('typesNoneBody')}</EmptyState>
        ) : (
          <TypeEditor key={one.type} {...one} />
        )}
      </div>
      {naming && <NameDialog types={types.map(({ type }) => type)} onClose={() => setNaming(false)} onNamed={show} />}
    </div>
  )
}

/** Those with something expected, those that devices have, and the one that is being begun. */
function typesOf(
  set: readonly TypeConfiguration[],
  used: readonly { readonly DeviceType: string; readonly Devices: number }[],
  open: string | undefined,
): readonly OneType[] {
  const names = new Set([...set.map(({ DeviceType }) => DeviceType), ...used.map(({ DeviceType }) => DeviceType)])
  if (open !== undefined && open !== '') names.add(open)
  return [...names].sort().map((type) => ({
    type,
    devices: used.find(({ DeviceType }) => DeviceType === type)?.Devices ?? 0,
    set: set.find(({ DeviceType }) => DeviceType === type) ?? null,
  }))
}

interface NameDialogProps {
  readonly types: readonly string[]
  readonly onClose: () => void
  readonly onNamed: (type: string) => void
}

function NameDialog({ types, onClose, onNamed }: NameDialogProps) {
  const { t } = useTranslation('devices')
  const { t: ui } = useTranslation('ui')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const type = name.trim()
  const fits = isDeviceType(type)
  const wrong =
    type === '' ? t('fieldMissing') : types.includes(type) ? t('typeThere') : fits ? undefined : ui('notStorable')
  return (
    <ActDialog
      title={t('typeNew')}
      lead={t('typeHow')}
      act={t('typeBegin')}
      failed={t('notDone')}
      check={() => {
        setTried(true)
        return wrong === undefined
      }}
      onAct={async () => onNamed(type)}
      onClose={onClose}
    >
      <TextField
        label={t('type')}
        required
        autoFocus
        maxLength={DEVICE_FIELDS.DeviceType.most}
        spellCheck={false}
        value={name}
        onChange={setName}
        error={tried ? wrong : undefined}
      />
    </ActDialog>
  )
}
