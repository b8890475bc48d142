import { useParams } from '@tanstack/react-router'
import { DevicePage } from '../features/devices/page/device-page.tsx'

export function DeviceRoute() {
  const { deviceId } = useParams({ from: '/devices/$deviceId' })
  // Another device is another page: nothing shown or typed in the one before goes over.
  return <DevicePage key={deviceId} deviceId={deviceId} />
}
