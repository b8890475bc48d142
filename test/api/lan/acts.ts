import { once } from 'node:events'
import { connect } from 'node:net'
import type { Json } from '../../support/given.ts'
import { asChief } from '../cases/acts.ts'
import type { Act, World } from '../documents/acts.ts'
import { LAN } from './world.ts'

/** One good call of each route of the LAN (promise I1). The acts of one world follow each other: each turns on what it needs. */
export const LAN_ACTS: Readonly<Record<string, (world: World) => Promise<Act> | Act>> = {
  getLan: (world) => ({
    call: () => asChief(world, 'GET', LAN),
    status: 200,
    actor: 'chief',
    entries: () => [['lan.read', 'lan', '']],
  }),
  changeLan: async (world) => {
    await asChief(world, 'PATCH', LAN, { Enabled: false })
    const { Ca } = await read(world)
    return {
      call: () => asChief(world, 'PATCH', LAN, { Enabled: true }),
      status: 200,
      actor: 'chief',
      entries: () => [
        ['lan.changed', 'lan', '1', { detail: { from: { enabled: false }, to: { enabled: true } } }],
        ...(Ca === null ? [['lan.caMade', 'lan', '1'] as const, ['lan.certificateMade', 'lan', '1'] as const] : []),
      ],
    }
  },
  renewLanCertificate: async (world) => {
    await turnedOn(world)
    return {
      call: () => asChief(world, 'POST', `${LAN}/renew`),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [['lan.certificateMade', 'lan', '1', { sha256: json.Certificate.Sha256Fingerprint }]],
    }
  },
  replaceLanCa: async (world) => {
    const { Ca } = await turnedOn(world)
    return {
      call: () => asChief(world, 'POST', `${LAN}/new-ca`, { Sha256Fingerprint: Ca.Sha256Fingerprint }),
      status: 200,
      actor: 'chief',
      entries: ({ json }) => [
        ['lan.caMade', 'lan', '1', { sha256: json.Ca.Sha256Fingerprint }],
        ['lan.certificateMade', 'lan', '1', { sha256: json.Certificate.Sha256Fingerprint }],
      ],
    }
  },
  listLanHosts: (world) => ({
    call: () => asChief(world, 'GET', `${LAN}/host`),
    status: 200,
    actor: 'chief',
    entries: () => [['list.read', 'lanHost', '']],
  }),
  disconnectLanHost: async (world) => {
    const { Port } = await turnedOn(world)
    const socket = connect(Port, '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    while ((await read(world)).Connected === 0);
    return {
      call: async () => {
        const reply = await asChief(world, 'POST', `${LAN}/disconnect`, { Address: '127.0.0.1' })
        socket.destroy()
        return reply
      },
      status: 200,
      actor: 'chief',
      entries: () => [['lan.disconnected', 'lan', '1', { detail: { address: '127.0.0.1' } }]],
    }
  },
  getPairing: (world) => ({
    call: () => world.given.call('GET', '/api/v1/pairing', { token: null }),
    status: 200,
    entries: () => [],
  }),
  getCaPem: (world) => theCa(world, 'pem'),
  getCaDer: (world) => theCa(world, 'crt'),
}

async function theCa(world: World, ending: string): Promise<Act> {
  await turnedOn(world)
  return {
    call: () => world.given.call('GET', `/pairing/ca.${ending}`, { token: null }),
    status: 200,
    entries: () => [],
  }
}

const read = (world: World): Promise<Json> => world.given.expecting(200, asChief(world, 'GET', LAN))
const turnedOn = (world: World): Promise<Json> =>
  world.given.expecting(200, asChief(world, 'PATCH', LAN, { Enabled: true }))
