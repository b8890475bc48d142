import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/cases/departments.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { type Department, useRefresh } from '../queries.ts'
import { Part } from '../editing/panel.tsx'
import { Problem } from '../problem.tsx'

interface DefaultPartProps {
  readonly department: Department
  /** It has a new version then; what is typed goes on from there. */
  readonly onChanged: (department: Department) => void
}

/** Which department cases get that name none: at most one. Done at once, with the way back. */
export function DefaultPart({ department, onChanged }: DefaultPartProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { busy, error, run } = useAct()
  const params = { tenantId: tenant }
  const one = { params: { ...params, departmentId: department.DepartmentId } }

  const assign = async (on: boolean, back: boolean): Promise<void> => {
    const { ConcurrencyId: own } = await call(contract.getDepartment, one)
    // Taking away names the version of the default; giving it that of the one that gets it.
    const version = on ? own : ((await call(contract.getDefaultDepartment, { params })).ConcurrencyId ?? own)
    await call(contract.assignDefaultDepartment, {
      params,
      body: { ConcurrencyId: version, DepartmentId: on ? department.DepartmentId : null },
    })
    onChanged(await call(contract.getDepartment, one))
    refresh('departments')
    const undo = () => assign(!on, false)
    toasts.show({
      text: t(on ? 'defaultToast' : 'defaultGoneToast', { name: department.Name }),
      ...(back ? { undo } : {}),
    })
  }
  // Where another one was the default, undo would not bring that one back: then none is offered.
  const change = (): void => run(() => assign(!department.IsDefault, department.IsDefault))
  return (
    <Part title={t('defaultTitle')}>
      <p className="small second">{t(department.IsDefault ? 'defaultIs' : 'defaultIsNot')}</p>
      <div>
        <Button
          size="small"
          busy={busy}
          why={department.Enabled ? undefined : t('refusedDisabledDefault')}
          onPress={change}
        >
          {t(department.IsDefault ? 'defaultTake' : 'defaultMake')}
        </Button>
      </div>
      {error !== null && <Problem error={error} title={t('notSaved')} />}
    </Part>
  )
}
