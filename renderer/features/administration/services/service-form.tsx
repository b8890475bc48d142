import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import * as contract from '../../../../shared/identity/services.contract.ts'
import { SECURITY_POLICIES, type SecurityPolicy } from '../../../../shared/kernel/permissions.ts'
import { call } from '../../../client/api.ts'
import { useRequestKey } from '../../../client/request-key.ts'
import { useSession } from '../../../client/session.tsx'
import { useAct } from '../../../ui/act/use-act.ts'
import { Checkbox } from '../../../ui/field/choice.tsx'
import { TextField } from '../../../ui/field/field.tsx'
import { useRefresh } from '../queries.ts'
import { NameField } from '../editing/name-field.tsx'
import { Panel, Part } from '../editing/panel.tsx'
import { SaveFoot } from '../editing/save-foot.tsx'
import { useDraft } from '../editing/use-draft.ts'
import { nameProblem, wrongMembers } from '../editing/wrong-members.ts'
import type { Service } from '../people-queries.ts'
import { policyWords } from '../policies/policy-labels.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { Connection, type ConnectionFile } from './connection.tsx'

interface ServiceFormProps {
  readonly onClose: () => void
  /** The file was taken. */
  readonly onDone: (id: string) => void
}

interface ServiceDraft {
  readonly Name: string
  readonly BaseUrl: string
  readonly Policies: readonly SecurityPolicy[]
}
const EMPTY = (): ServiceDraft => ({ Name: '', BaseUrl: '', Policies: [] })

/** A new integration; its connection file is handed out here, once. */
export function ServiceForm({ onClose, onDone }: ServiceFormProps) {
  const [made, setMade] = useState<Made | null>(null)
  if (made === null) return <NewService onClose={onClose} onMade={setMade} />
  return <HandOut made={made} onClose={onClose} onDone={onDone} />
}

interface Made {
  readonly service: Service
  /** null where the answer was repeated: the file went out with the first. */
  readonly file: ConnectionFile | null
}

function HandOut({ made: { service, file }, onClose, onDone }: ServiceFormProps & { readonly made: Made }) {
  const { t } = useTranslation('administration')
  return (
    <Panel title={service.Name} onClose={onClose}>
      {file === null ? (
        <Problem error={new Error(t('connectionLost'))} title={t('connectionLostTitle')} />
      ) : (
        <Connection name={service.Name} handed={{ file }} onDone={() => onDone(service.PrincipalId)} />
      )}
    </Panel>
  )
}

interface NewServiceProps {
  readonly onClose: () => void
  readonly onMade: (made: Made) => void
}

function NewService({ onClose, onMade }: NewServiceProps) {
  const { t } = useTranslation('administration')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const { draft, set, begin } = useDraft('service-new', null, EMPTY)
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useAct()
  const keyFor = useRequestKey()
  const body = {
    Name: draft.Name.trim(),
    ...(draft.BaseUrl.trim() === '' ? {} : { BaseUrl: draft.BaseUrl.trim() }),
    Policies: draft.Policies.map((Policy) => ({ Policy })),
  }
  const { Name: wrong } = wrongMembers(contract.CreateServiceModel, body, { Name: nameProblem(draft.Name) })
  const make = async (): Promise<void> => {
    const { Service: service, Connection: file } = await call(contract.createService, {
      params: { tenantId: tenant },
      body,
      idempotencyKey: keyFor(body),
    })
    begin(null)
    refresh('principals')
    onMade({ service, file })
  }
  const save = (): void => {
    setTried(true)
    if (busy || wrong !== undefined) return
    run(make)
  }
  const taken = isNameTaken(error)
  return (
    <Panel
      title={t('serviceNew')}
      onClose={onClose}
      onSubmit={save}
      foot={<SaveFoot save={t('serviceMake')} busy={busy} />}
    >
      <NameField
        value={draft.Name}
        onChange={(Name) => set({ Name })}
        wrong={tried ? wrong : undefined}
        taken={taken}
      />
      <TextField
        label={t('baseUrl')}
        type="url"
        value={draft.BaseUrl}
        onChange={(BaseUrl) => set({ BaseUrl })}
        placeholder={window.location.origin}
        description={t('baseUrlHow')}
      />
      <PolicyChoice chosen={draft.Policies} onChange={(Policies) => set({ Policies })} />
      {error !== null && !taken && <Problem error={error} title={t('notSaved')} />}
    </Panel>
  )
}

interface PolicyChoiceProps {
  readonly chosen: readonly SecurityPolicy[]
  readonly onChange: (chosen: readonly SecurityPolicy[]) => void
}

function PolicyChoice({ chosen, onChange }: PolicyChoiceProps) {
  const { t } = useTranslation('administration')
  return (
    <Part title={t('policies')}>
      {SECURITY_POLICIES.map((policy) => (
        <Checkbox
          key={policy}
          checked={chosen.includes(policy)}
          onChange={(on) => onChange(SECURITY_POLICIES.filter((one) => (one === policy ? on : chosen.includes(one))))}
        >
          {policyWords(policy, t)}
        </Checkbox>
      ))}
    </Part>
  )
}
