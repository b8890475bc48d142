import { useQuery, useQueryClient } from '@tanstack/react-query'
import * as contract from '../../../../../shared/forwarding/contract.ts'
import { useConnectionReasons } from '../../../../client/connection-reasons.tsx'
import { call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { useTranslation } from '../../../../client/translate.ts'
import { useAct } from '../../../../ui/act/use-act.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { visible } from '../../../../ui/format/visible.ts'
import { Problem } from '../../../../ui/problem/problem.tsx'
import { StateMark } from '../../../../ui/state/state.tsx'
import type { Evidence, Resource } from '../queries.ts'
import styles from './resources.module.css'

/** The bytes come: the page asks again until they are here. */
const SOON_MS = 2_000

const STATES = {
  none: ['waiting', 'evidenceNone'],
  waiting: ['waiting', 'evidenceWaiting'],
  failed: ['attention', 'evidenceFailed'],
  done: ['ok', 'evidenceDone'],
} as const

interface ForwardedProps {
  readonly evidence: Evidence
  readonly resources: readonly Resource[]
}

/** Whether headquarters has it, with the receipt of each original, and where its bytes are. */
export function Forwarded({ evidence, resources }: ForwardedProps) {
  const say = useConnectionReasons()
  const { t } = useTranslation('forwarding')
  const { tenant } = useSession()
  const format = useFormat()
  const queries = useQueryClient()
  const { busy, error, run } = useAct()
  const { EvidenceId: evidenceId, AccessorPermissions } = evidence
  const key = ['evidence', evidenceId, 'forwarding']
  const params = { tenantName: tenant, evidenceId }
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(contract.getEvidenceForwarding, { params, signal }),
    refetchInterval: ({ state }) => (state.data?.Resources.some(({ Fetching }) => Fetching) === true ? SOON_MS : false),
  })
  if (data === undefined || data.Address === null) return null
  const act = (what: () => Promise<unknown>): void =>
    run(async () => {
      await what()
      await queries.invalidateQueries({ queryKey: key })
    })
  const [state, word] = STATES[data.State]
  return (
    <section className={styles['section']} aria-labelledby="at-headquarters">
      <h2 id="at-headquarters" className={styles['title']}>
        {t('title')}
      </h2>
      <p className={styles['proof']}>
        <StateMark state={state} small>
          {t(word)}
        </StateMark>
      </p>
      {data.Resources.map((one) => {
        const name = resources.find(({ ResourceId }) => ResourceId === one.ResourceId)?.Name ?? one.ResourceId
        return (
          <div key={one.ResourceId} className={styles['proof']}>
            <bdi title={one.Sha256}>{visible(name)}</bdi>
            <span className={styles['how']}>
              {t('receipt', {
                when: format.instant(one.ConfirmedTimeUtc),
                address: one.Address,
                id: one.RemoteEvidenceId,
              })}
            </span>
            {one.ClearedTimeUtc !== null && (
              <>
                <StateMark state={one.Fetching ? 'working' : 'waiting'} small>
                  {t(one.Fetching ? 'fetching' : 'bytesThere', { size: format.bytes(one.LengthInBytes) })}
                </StateMark>
                {one.Problem !== null && <p className={styles['how']}>{say(one.Problem)}</p>}
                {!one.Fetching && (
                  <span>
                    <Button
                      size="small"
                      icon="download"
                      busy={busy}
                      onPress={() =>
                        act(() => call(contract.fetchOriginal, { params: { ...params, resourceId: one.ResourceId } }))
                      }
                    >
                      {t('fetch')}
                    </Button>
                  </span>
                )}
              </>
            )}
          </div>
        )
      })}
      {(data.State === 'none' || data.State === 'failed') &&
        evidence.State === 'UserCompleted' &&
        AccessorPermissions.includes('Edit') && (
          <p className={styles['proof']}>
            <span>
              <Button
                size="small"
                icon="upload"
                busy={busy}
                onPress={() => act(() => call(contract.forwardEvidence, { params }))}
              >
                {t('forwardNow')}
              </Button>
            </span>
          </p>
        )}
      {error !== null && <Problem error={error} title={t('notDone')} />}
    </section>
  )
}
