import { useQuery } from '@tanstack/react-query'
import { definePage } from '../../client/page.ts'
import { withWords } from '../../client/i18n.ts'
import { inPolicy } from '../../client/rights.ts'
import type { Session } from '../../client/session.tsx'
import { visible } from '../../ui/format/visible.ts'
import { deviceSearch, devicesSearch, typesSearch } from './search-state.ts'

const isOffered = (session: Session): boolean => inPolicy(session, 'ManageDevices')

export const deviceListPage = definePage({
  path: '/devices',
  readSearch: (given) => devicesSearch.read(given),
  load: async () => (await withWords(import('./list/devices-page.tsx'), 'devices')).DevicesPage,
  name: { en: 'Devices', fr: 'Appareils' },
  isOffered,
  rail: { group: 'integrity', icon: 'devices' },
  command: { name: { en: 'Go to devices', fr: 'Aller aux appareils' }, icon: 'devices' },
})

export const deviceTypesPage = definePage({
  path: '/devices/types',
  readSearch: (given) => typesSearch.read(given),
  load: async () => (await withWords(import('./types/types-page.tsx'), 'devices')).DeviceTypesPage,
  name: { en: 'Device types', fr: 'Types d’appareils' },
  under: '/devices',
  isOffered,
  command: { name: { en: 'Go to device types', fr: 'Aller aux types d’appareils' }, icon: 'devices' },
})

export const devicePage = definePage({
  path: '/devices/$deviceId',
  readSearch: (given) => deviceSearch.read(given),
  load: async () => (await withWords(import('./page/device-page.tsx'), 'devices')).DevicePage,
  useName: useDeviceName,
  under: '/devices',
})

/** Known as soon as the device is here. */
function useDeviceName(deviceId: string): string {
  const { data } = useQuery<{
    readonly DeviceIdentification: { readonly SerialNumber: string; readonly CommonName: string | null }
  }>({ queryKey: ['devices', 'one', decodeURIComponent(deviceId)], enabled: false })
  const named = data?.DeviceIdentification
  return visible(named?.CommonName || named?.SerialNumber || '')
}
