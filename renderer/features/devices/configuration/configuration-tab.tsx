import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/devices/configurations.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { RadioGroup } from '../../../ui/field/radio-group.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Configuration, useConfiguration, useKeepConfiguration, useRefresh } from '../queries.ts'
import styles from '../devices.module.css'
import { Problem } from '../problem.tsx'
import { typeWords, type Words } from '../labels.ts'
import { ConfigurationForm } from './configuration-form.tsx'
import { type Base, type Editing, useConfigurationDraft } from './draft.ts'
import { Editor } from './editor.tsx'
import { type FreeForm, membersOf } from './members.ts'
import { type Saving, useSave } from './use-save.ts'

/** What is on the camera against what is wanted, member by member. */
export function ConfigurationTab({ deviceId }: { readonly deviceId: string }) {
  const { data, error, refetch } = useConfiguration(deviceId)
  if (data === undefined)
    return error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />
  return <Known configuration={data} />
}

const baseOf = ({ Desired, ConcurrencyId }: Configuration): Base => ({ configuration: Desired, version: ConcurrencyId })

function Known({ configuration }: { readonly configuration: Configuration }) {
  const { t } = useTranslation('devices')
  const { DeviceId, OfType, Effective } = configuration
  const editing = useConfigurationDraft(`device-${DeviceId}`, baseOf(configuration))
  const { wanted, set } = editing
  const saving = useDeviceSaving(DeviceId, editing)
  // Nothing of its own and nothing of its type: it keeps what it has.
  const expected = wanted.own ? wanted.members : membersOf(OfType ?? Effective ?? {})
  return (
    <ConfigurationForm
      editing={editing}
      saving={saving}
      head={<Whence configuration={configuration} editing={editing} />}
      editor={(onBroken) => (
        <Editor
          has={Effective === null ? [] : membersOf(Effective)}
          hasWords={hasWords(Effective, configuration, t)}
          members={expected}
          onChange={wanted.own ? (members) => set({ own: true, members }) : undefined}
          onBroken={onBroken}
        />
      )}
    />
  )
}

function useDeviceSaving(deviceId: string, editing: Editing): Saving {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const keep = useKeepConfiguration()
  const params = { tenantId: tenant, deviceId }
  return useSave({
    editing,
    put: async (Configuration, ConcurrencyId) =>
      keep(await call(contract.setDeviceConfiguration, { params, body: { Configuration, ConcurrencyId } })),
    load: async () => baseOf(await call(contract.getDeviceConfiguration, { params })),
    onSaved: () => {
      toasts.show({ text: t('configurationSaved') })
      void refresh()
    },
  })
}

const hasWords = (effective: FreeForm | null, { EffectiveSinceUtc }: Configuration, t: Words): string =>
  effective === null || EffectiveSinceUtc === null ? t('onCameraNothing') : t('onCamera')

interface WhenceProps {
  readonly configuration: Configuration
  readonly editing: Editing
}

/** Of its own, or what its type says; and since when the camera has what it has. */
function Whence({ configuration, editing }: WhenceProps) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  const { DeviceType, OfType, Effective, EffectiveSinceUtc } = configuration
  const { wanted, set } = editing
  return (
    <div className={styles['whence']}>
      <RadioGroup
        label={t('expected')}
        inline
        value={wanted.own ? 'own' : 'type'}
        onChange={(whose) =>
          set(
            whose === 'type'
              ? { ...wanted, own: false }
              : // It begins with what holds now, so that nothing is lost by turning it on.
                {
                  own: true,
                  members: wanted.members.length > 0 ? wanted.members : membersOf(OfType ?? Effective ?? {}),
                },
          )
        }
        options={[
          {
            id: 'type',
            label: t(OfType === null ? 'expectedNothing' : 'expectedOfType', { type: typeWords(DeviceType, t) }),
            description: t(OfType === null ? 'expectedNothingHow' : 'expectedOfTypeHow'),
          },
          { id: 'own', label: t('expectedOwn'), description: t('expectedOwnHow') },
        ]}
      />
      <p className="second">
        {Effective === null || EffectiveSinceUtc === null
          ? t('onCameraNone')
          : t('onCameraSince', { time: format.instant(EffectiveSinceUtc, { precision: 'minute' }) })}
      </p>
    </div>
  )
}
