/**
 * What the pages of devices ask of the station. Every key begins with `devices`. Nothing is asked by itself again and again: each look at
 * a device is an entry in the ledger.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as associations from '../../../shared/devices/associations.contract.ts'
import * as configurations from '../../../shared/devices/configurations.contract.ts'
import * as contract from '../../../shared/devices/contract.ts'
import { type Answer, call } from '../../client/api.ts'
import { from, useItemPages } from '../../client/pages.ts'
import { useSession } from '../../client/session.tsx'

export type DeviceItem = z.output<typeof contract.DeviceListItem>
export type Device = z.output<typeof contract.DeviceDetail>
export type Negotiated = Device['Negotiations'][number]
export type Association = z.output<typeof associations.DeviceAssociation>
export type Configuration = z.output<typeof configurations.DeviceConfigurationModel>
export type TypeConfiguration = z.output<typeof configurations.TypeConfigurationModel>
export type Credential = z.output<typeof configurations.StoredCredential>

const DEVICES = 'devices'
export const deviceKey = (deviceId: string) => [DEVICES, 'one', deviceId] as const

const configurationKey = (...deviceId: readonly string[]) => [DEVICES, 'configuration', ...deviceId] as const

export interface DevicesAsked {
  readonly text?: string
  readonly state?: 'Active' | 'Inactive'
  readonly type?: string
  readonly assignedTo?: string
}

/** Page after page as they come in sight; how many are active comes with each. */
export function useDevices(asked: DevicesAsked) {
  const { tenant } = useSession()
  const list = useItemPages<DeviceItem, Answer<typeof contract.listDevices>>({
    queryKey: [DEVICES, 'list', tenant, asked],
    keepsPrevious: true,
    ask: (cursor, signal) =>
      call(contract.listDevices, {
        params: { tenantId: tenant },
        query: { count: '100', ...asked, ...from(cursor) },
        signal,
      }),
  })
  return {
    list,
    /** Of all devices; null before the first answer. */
    newest: list.pages?.at(-1) ?? null,
  }
}

export function useDevice(deviceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: deviceKey(deviceId),
    queryFn: ({ signal }) => call(contract.getDevice, { params: { tenantId: tenant, deviceId }, signal }),
  })
}

export function useAssociations(deviceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [DEVICES, 'associations', deviceId],
    queryFn: ({ signal }) => call(associations.listAssociations, { params: { tenantId: tenant, deviceId }, signal }),
  })
}

export function useConfiguration(deviceId: string) {
  const { tenant } = useSession()
  return useQuery({
    queryKey: configurationKey(deviceId),
    queryFn: ({ signal }) =>
      call(configurations.getDeviceConfiguration, { params: { tenantId: tenant, deviceId }, signal }),
  })
}

/** What the station answered to a change, until it is asked again. */
export function useKeepConfiguration(): (now: Configuration) => void {
  const queries = useQueryClient()
  return (now) => {
    // Under the address that the page was opened by, which may be a serial number.
    queries.setQueriesData<Configuration>({ queryKey: configurationKey() }, (before) =>
      before?.DeviceId === now.DeviceId ? now : before,
    )
  }
}

export function useKeepType(): (now: TypeConfiguration) => void {
  const queries = useQueryClient()
  return (now) => {
    queries.setQueriesData<TypeConfiguration[]>({ queryKey: [DEVICES, 'types'] }, (before) =>
      before === undefined ? before : [...before.filter(({ DeviceType }) => DeviceType !== now.DeviceType), now],
    )
  }
}

export function useTypeConfigurations() {
  const { tenant } = useSession()
  return useQuery({
    queryKey: [DEVICES, 'types', tenant],
    queryFn: ({ signal }) => call(configurations.listTypeConfigurations, { params: { tenantId: tenant }, signal }),
  })
}

/** After an act: whatever pages of devices show is asked again. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [DEVICES] })
}
