import { expect, test } from 'vitest'
import { cameraLabel, displayName } from './display-name.ts'

const camera = (
  serialNumber: string | null,
  deviceType: string | null = 'BodyWornCamera',
  commonName: string | null = null,
) => cameraLabel({ serialNumber, deviceType, commonName })

test('a camera is called as the station calls it, else by its type and the end of its number', () => {
  expect(camera('BW-0410', 'BodyWornCamera', 'Car 12 front')).toBe('Car 12 front')
  expect(camera('BW-0410', 'BodyWornCamera', '  ')).toBe('BWC 0410')
  expect(camera('X60A41234567')).toBe('BWC 234567')
  expect(camera('A1')).toBe('BWC A1')
  expect(camera('VC-12', 'InCarVideo')).toBe('VC-12')
  expect(camera(null)).toBeNull()
})

test('camera, time and place make the name; what is not known is left out', () => {
  const known = { name: 'R1', camera: 'BWC 0410', at: '14:10', places: ['Quay Road 3, Harrow', 'Burglary'] }
  expect(displayName(known)).toBe('BWC 0410, 14:10, Quay Road 3')
  expect(displayName({ ...known, places: [null, 'Burglary'] })).toBe('BWC 0410, 14:10, Burglary')
  expect(displayName({ ...known, places: [' , Harrow', null] })).toBe('BWC 0410, 14:10')
  expect(displayName({ ...known, at: null, places: [] })).toBe('BWC 0410, R1')
  expect(displayName({ ...known, camera: null })).toBe('R1')
})
