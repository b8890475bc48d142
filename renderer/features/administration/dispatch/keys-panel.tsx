import { useState } from 'react'
import { useTranslation } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as keys from '../../../../shared/identity/service-api-keys.contract.ts'
import * as pages from '../../../../shared/identity/service-origins.contract.ts'
import type * as services from '../../../../shared/identity/services.contract.ts'
import { call } from '../../../client/api.ts'
import { useSession } from '../../../client/session.tsx'
import { useTextProblem } from '../../../client/use-text-problem.ts'
import { useAct } from '../../../ui/act/use-act.ts'
import { Button } from '../../../ui/button/button.tsx'
import { TextArea, TextField } from '../../../ui/field/field.tsx'
import { type Format, useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../ui/toast/toast.tsx'
import { ActDialog } from '../act-dialog.tsx'
import { useRefresh } from '../queries.ts'
import { Panel, Part } from '../editing/panel.tsx'
import people from '../people.module.css'
import { useService } from '../people-queries.ts'
import { isNameTaken, Problem } from '../problem.tsx'
import { Connection as HandedOver } from '../services/connection.tsx'
import styles from './cad.module.css'
import type { Service } from './queries.ts'
import { Standing } from '../cad/service-state.tsx'
import type { CadWords } from '../cad/labels.ts'

type Key = z.output<typeof services.ServiceModel>['ApiKeys'][number]

/** API keys and web pages of one integration. A key is shown once, here, and goes with this panel. */
export function KeysPanel({ service, onClose }: { readonly service: Service; readonly onClose: () => void }) {
  const { t } = useTranslation('cad')
  const { data, error, refetch } = useService(service.principalId)
  const [handed, setHanded] = useState<string | null>(null)
  return (
    <Panel title={service.name} onClose={onClose}>
      <Standing service={service} />
      {handed !== null && <HandedOver name={service.name} handed={{ apiKey: handed }} onDone={() => setHanded(null)} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={6} />
        ) : (
          <Problem error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Part title={t('keys')}>
          <p className="small muted">{t(data.ApiKeys.length === 0 ? 'keysNone' : 'keysLead')}</p>
          <KeyList serviceId={service.principalId} keys={data.ApiKeys} />
          <NewKey serviceId={service.principalId} onMade={setHanded} />
        </Part>
      )}
      <Pages service={service} />
    </Panel>
  )
}

function KeyList({ serviceId, keys: list }: { readonly serviceId: string; readonly keys: readonly Key[] }) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const format = useFormat()
  const refresh = useRefresh()
  const [leaving, setLeaving] = useState<Key | null>(null)
  const revoke = async ({ ApiKeyId, Name }: Key): Promise<void> => {
    await call(keys.revokeApiKey, { params: { tenantId: tenant, serviceId, apiKeyId: ApiKeyId } })
    refresh()
    toasts.show({ text: t('keyRevoked', { name: nameOf(Name, t) }) })
  }
  return (
    <ul className={styles['keys']}>
      {list.map((key) => (
        <li key={key.ApiKeyId} className={styles['key']}>
          <span className={people['two']}>
            <bdi>{nameOf(key.Name, t)}</bdi>
            <span className={people['second']}>{keyFacts(key, t, format)}</span>
          </span>
          <Button size="small" kind="danger" onPress={() => setLeaving(key)}>
            {t('keyRevoke')}
          </Button>
        </li>
      ))}
      {leaving !== null && (
        <ActDialog
          title={t('keyRevokeTitle', { name: nameOf(leaving.Name, t) })}
          lead={t('keyRevokeLead')}
          act={t('keyRevoke')}
          danger
          failed={t('notDone')}
          onAct={() => revoke(leaving)}
          onClose={() => setLeaving(null)}
        />
      )}
    </ul>
  )
}

const nameOf = (name: string, t: CadWords): string => (name === '' ? t('keyUnnamed') : visible(name))

const keyFacts = ({ CreatedUtcTime, LastUsedUtc, ExpiresUtc }: Key, t: CadWords, format: Format): string =>
  [
    t('keyMadeAt', { time: format.day(CreatedUtcTime) }),
    LastUsedUtc === null ? t('keyUnused') : t('keyUsedAt', { time: format.relative(LastUsedUtc) }),
    ...(ExpiresUtc === null ? [] : [t('keyEndsAt', { time: format.timeOrDay(ExpiresUtc) })]),
  ].join(' · ')

interface NewKeyProps {
  readonly serviceId: string
  readonly onMade: (apiKey: string) => void
}

function NewKey({ serviceId, onMade }: NewKeyProps) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const { busy, error, run } = useAct()
  const taken = isNameTaken(error)
  const make = async (): Promise<void> => {
    const { APIKey } = await call(keys.makeApiKey, {
      params: { tenantId: tenant, serviceId },
      body: { Name: name.trim() },
    })
    setName('')
    setTried(false)
    refresh()
    onMade(APIKey)
  }
  const wrong = useTextProblem(keys.isApiKeyName, name.trim(), t('keyNameMissing'))
  return (
    <form
      className={styles['stack']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!busy && wrong === undefined) run(make)
      }}
    >
      <TextField
        label={t('keyName')}
        description={t('keyNameHow')}
        value={name}
        onChange={setName}
        maxLength={keys.LONGEST_KEY_NAME}
        error={(tried ? wrong : undefined) ?? (taken ? t('keyNameTaken') : undefined)}
      />
      <div>
        <Button size="small" icon="key" type="submit" busy={busy}>
          {t('keyMake')}
        </Button>
      </div>
      {error !== null && !taken && <Problem error={error} title={t('notDone')} />}
    </form>
  )
}

/** Whole: what stands in the field is what may use the key. */
function Pages({ service }: { readonly service: Service }) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const refresh = useRefresh()
  const said = service.origins.join('\n')
  const [text, setText] = useState(said)
  const { busy, error, run } = useAct()
  const save = async (): Promise<void> => {
    const Origins = text.split(/\s+/).filter((line) => line !== '')
    const saved = await call(pages.putServiceOrigins, {
      params: { tenantId: tenant, serviceId: service.principalId },
      body: { Origins },
    })
    setText(saved.Origins.join('\n'))
    refresh()
    toasts.show({ text: t('pagesSaved') })
  }
  return (
    <Part title={t('pages')}>
      <form
        className={styles['stack']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) run(save)
        }}
      >
        <TextArea label={t('pages')} hideLabel description={t('pagesHow')} rows={3} value={text} onChange={setText} />
        <div>
          <Button
            size="small"
            type="submit"
            busy={busy}
            why={text.trim() === said.trim() ? t('nothingChanged') : undefined}
          >
            {t('pagesSave')}
          </Button>
        </div>
        {error !== null && <Problem error={error} title={t('notDone')} />}
      </form>
    </Part>
  )
}
