import { expect, it } from 'vitest'
import { overNetwork } from './over-network.ts'

it('tells the station itself from everybody else', () => {
  const here = ['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'station.localhost']
  const there = ['harrow.local', '10.0.0.5', '127.0.0.1.example', 'localhost.example', '[fd00::1]', 'x127.0.0.1']
  expect(here.filter((hostname) => overNetwork({ hostname }))).toEqual([])
  expect(there.filter((hostname) => !overNetwork({ hostname }))).toEqual([])
})
