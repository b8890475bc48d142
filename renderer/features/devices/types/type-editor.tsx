import { Link } from '@tanstack/react-router'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/devices/configurations.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ConfigurationForm } from '../configuration/configuration-form.tsx'
import { type Base, type Editing, useConfigurationDraft } from '../configuration/draft.ts'
import { Editor } from '../configuration/editor.tsx'
import { type Saving, useSave } from '../configuration/use-save.ts'
import { type TypeConfiguration, useKeepType, useRefresh } from '../queries.ts'
import styles from '../devices.module.css'
import { Problem } from '../problem.tsx'
import { nameOf, typeWords } from '../labels.ts'

interface TypeEditorProps {
  readonly type: string
  readonly devices: number
  readonly set: TypeConfiguration | null
}

/** An empty version is that of one that is not there: whoever else sets it meanwhile is told. */
const baseOf = (set: TypeConfiguration | null): Base => ({
  configuration: set?.Configuration ?? null,
  version: set?.ConcurrencyId ?? '',
})

export function TypeEditor({ type, devices, set }: TypeEditorProps) {
  const editing = useConfigurationDraft(`type-${type}`, baseOf(set))
  const saving = useTypeSaving(type, editing)
  return (
    <ConfigurationForm
      editing={editing}
      saving={saving}
      head={<Head type={type} devices={devices} set={set} onRemoved={editing.drop} />}
      editor={(onBroken) => (
        <Editor
          members={editing.wanted.members}
          onChange={(members) => editing.set({ own: true, members })}
          onBroken={onBroken}
        />
      )}
      asSaved={(chosen) => ({ ...chosen, own: true })}
    />
  )
}

function Head({ type, devices, set, onRemoved }: TypeEditorProps & { readonly onRemoved: () => void }) {
  const { t } = useTranslation('devices')
  const format = useFormat()
  return (
    <header className={styles['deviceHead']}>
      <div className={styles['headline']}>
        <h2 className={styles['title']}>
          <bdi>{typeWords(type, t)}</bdi>
        </h2>
        <span className={styles['acts']}>
          <Link to="/devices" search={{ type }} className={styles['link']}>
            {t('typeDevices', { count: devices })}
          </Link>
          {set !== null && <RemoveButton set={set} onRemoved={onRemoved} />}
        </span>
      </div>
      <p className="second">
        {set === null
          ? t('typeUnsetBody')
          : t('typeSetBody', { who: nameOf(set.LastModifiedBy, t), time: format.timeOrDay(set.LastModifiedUtcTime) })}
      </p>
    </header>
  )
}

function useTypeSaving(type: string, editing: Editing): Saving {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const keep = useKeepType()
  const params = { tenantId: tenant, deviceType: type }
  return useSave({
    editing,
    put: async (configuration, ConcurrencyId) =>
      keep(
        await call(contract.setTypeConfiguration, {
          params,
          body: { Configuration: configuration ?? {}, ConcurrencyId },
        }),
      ),
    load: async () => {
      const all = await call(contract.listTypeConfigurations, { params: { tenantId: tenant } })
      return baseOf(all.find(({ DeviceType }) => DeviceType === type) ?? null)
    },
    onSaved: () => {
      toasts.show({ text: t('configurationSaved') })
      void refresh()
    },
  })
}

/** At once, with its way back: putting it back is as good as before. */
function RemoveButton({ set, onRemoved }: { readonly set: TypeConfiguration; readonly onRemoved: () => void }) {
  const { t } = useTranslation('devices')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { busy, error, run } = useAct()
  const { DeviceType: deviceType, Configuration } = set
  const params = { tenantId: tenant, deviceType }
  const undo = async (): Promise<void> => {
    await call(contract.setTypeConfiguration, { params, body: { Configuration, ConcurrencyId: '' } })
    await refresh()
  }
  const remove = async (): Promise<void> => {
    await call(contract.deleteTypeConfiguration, { params })
    onRemoved()
    await refresh()
    toasts.show({
      text: t('typeRemovedToast', { type: typeWords(deviceType, t) }),
      undo,
    })
  }
  return (
    <>
      <Button busy={busy} onPress={() => run(remove)}>
        {t('typeRemove')}
      </Button>
      {error !== null && (
        <span className={styles['wide']}>
          <Problem error={error} title={t('notDone')} />
        </span>
      )}
    </>
  )
}
