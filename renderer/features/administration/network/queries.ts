/** What the pages of the network ask of the station. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Translate } from '../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../shared/network/contract.ts'
import { call } from '../../../client/api.ts'
import { overNetwork } from '../../../client/over-network.ts'
import { useSession } from '../../../client/session.tsx'
import { takeAnswer } from '../../../client/take-answer.ts'

export type Lan = z.output<typeof contract.LanModel>
export type Host = z.output<typeof contract.LanHostModel>
export type Certificate = NonNullable<Lan['Certificate']>
export type LanChange = z.input<typeof contract.LanChange>
export type Words = Translate<'network'>

/** Each reading is an entry of the ledger: as often as it tells something, and no oftener. */
const LAN_EVERY_MS = 20_000
const HOSTS_EVERY_MS = 5_000

const keyOf = (tenant: string) => ['administration', 'lan', tenant] as const
const hostsOf = (tenant: string) => ['administration', 'lan-hosts', tenant] as const

export function useLan() {
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(tenant),
    queryFn: ({ signal }) => call(contract.getLan, { params: { tenantId: tenant }, signal }),
    refetchInterval: LAN_EVERY_MS,
  })
  return { lan: data ?? null, error, retry: () => void refetch() }
}

/** An act that answers with how things stand: that is shown, and who is connected is asked again. */
export function useLanAct(): (act: Promise<Lan>) => Promise<Lan> {
  const { tenant } = useSession()
  const queries = useQueryClient()
  return async (act) => {
    const answer = await act
    await takeAnswer<Lan>(queries, keyOf(tenant), () => answer)
    void queries.invalidateQueries({ queryKey: hostsOf(tenant) })
    return answer
  }
}

export function useLanChange(): (change: LanChange) => Promise<Lan> {
  const { tenant } = useSession()
  const act = useLanAct()
  return (body) => act(call(contract.changeLan, { params: { tenantId: tenant }, body }))
}

export interface Moving extends Host {
  /** Bytes a second since it was last asked; null the first time. */
  readonly speed: { readonly in: number; readonly out: number } | null
}

type Answer = z.output<(typeof contract.listLanHosts.responses)[200]>

export function useHosts(enabled: boolean) {
  const { tenant } = useSession()
  const { data, error, refetch } = useQuery({
    queryKey: hostsOf(tenant),
    enabled,
    queryFn: ({ signal }) => call(contract.listLanHosts, { params: { tenantId: tenant }, signal }),
    refetchInterval: HOSTS_EVERY_MS,
  })
  return { hosts: useSpeeds(enabled ? data : undefined), error, retry: () => void refetch() }
}

/** How fast each host sends and takes, from what two answers say. */
function useSpeeds(answer: Answer | undefined): readonly Moving[] | null {
  const before = useRef<Answer | null>(null)
  const [moving, setMoving] = useState<readonly Moving[] | null>(null)
  useEffect(() => {
    setMoving(answer === undefined ? null : speedsBetween(before.current, answer))
    before.current = answer ?? null
  }, [answer])
  return moving
}

export function speedsBetween(before: Answer | null, now: Answer): readonly Moving[] {
  const seconds = before === null ? 0 : (Date.parse(now.TimeUtc) - Date.parse(before.TimeUtc)) / 1000
  return now.Items.map((host) => {
    const then = before?.Items.find(({ Address, SinceUtc }) => Address === host.Address && SinceUtc === host.SinceUtc)
    if (then === undefined || seconds <= 0) return { ...host, speed: null }
    const rate = (member: 'BytesReceived' | 'BytesSent'): number => Math.max(0, host[member] - then[member]) / seconds
    return { ...host, speed: { in: rate('BytesReceived'), out: rate('BytesSent') } }
  })
}

/** Whether it is this very browser: at the station itself it has the same address as one that comes round by the network. */
export const isHere = ({ ThisOne }: Host): boolean => ThisOne && overNetwork(window.location)

const DAY_MS = 86_400_000

/** Whole days; negative once it is over. */
export const daysLeft = (until: string, now = Date.now()): number => Math.floor((Date.parse(until) - now) / DAY_MS)

/** Farther away than this nobody counts the days. */
const COUNTED_DAYS = 730

export function leftWords({ NotAfterUtc }: Certificate, t: Words): string {
  const days = daysLeft(NotAfterUtc)
  if (days < 0) return t('ended')
  return days < COUNTED_DAYS ? t('daysLeft', { count: days }) : t('yearsLeft', { count: Math.floor(days / 365.25) })
}

/** So early that pairing every computer anew can be planned. */
const CA_WARNS_DAYS = 60
/** The station renews it long before; if it did not, somebody has to look. */
const CERTIFICATE_WARNS_DAYS = 14

export type Standing = 'good' | 'ends' | 'ended'

export function standingOf({ NotAfterUtc, RenewsTimeUtc }: Certificate, now = Date.now()): Standing {
  if (Date.parse(NotAfterUtc) <= now) return 'ended'
  const warns = RenewsTimeUtc === null ? CA_WARNS_DAYS : CERTIFICATE_WARNS_DAYS
  return daysLeft(NotAfterUtc, now) < warns ? 'ends' : 'good'
}
