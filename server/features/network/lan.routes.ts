import * as contract from '../../../shared/network/contract.ts'
import { fault } from '../../../shared/kernel/errors.ts'
import { readCertificate } from '../../platform/certificates/authority.ts'
import { type Clock, isoMillis } from '../../platform/clock/clock.ts'
import { type Announcer, SERVICE } from '../../platform/network/announce.ts'
import { type BoundRoute, bytes, json } from '../../http/handlers.ts'
import type { Certificates } from './certificates.ts'
import { authorityModel, certificateModel, hostModel, type LanOut, pairingCa } from './lan.models.ts'
import { announcedName, type Lan } from './lan.service.ts'
import * as names from './names.ts'
import type { LanSettings, Listener } from './ports.ts'

interface Deps {
  readonly lan: Lan
  readonly listener: Listener
  readonly certificates: Certificates
  readonly announcer: Pick<Announcer, 'state'>
  readonly settings: LanSettings
  readonly clock: Clock
}

export function lanRoutes(deps: Deps): BoundRoute[] {
  const { lan, listener, certificates, settings, clock } = deps
  const now = (): LanOut => status(deps)
  const authority = () => {
    const held = certificates.current()
    if (held === null) throw fault('CertificateNotFound', 'The station has no CA: its LAN was never turned on.')
    return held.authority.certificate
  }
  return [
    json(contract.getLan, async () => {
      return now()
    }),
    json(contract.changeLan, async ({ body, call }) => {
      await lan.change(call, body)
      return now()
    }),
    json(contract.renewLanCertificate, async ({ call }) => {
      await lan.renew(call)
      return now()
    }),
    json(contract.replaceLanCa, async ({ body, call }) => {
      await lan.replaceCa(call, body.Sha256Fingerprint)
      return now()
    }),
    json(contract.listLanHosts, async ({ call }) => {
      return {
        TimeUtc: isoMillis(clock.now()),
        Items: listener.hosts().map((host) => hostModel(host, call.source)),
      }
    }),
    json(contract.disconnectLanHost, async ({ body, call }) => {
      return { Connections: await lan.disconnect(call, body.Address) }
    }),
    json(contract.getPairing, async ({ origin }) => {
      const held = certificates.current()
      const { Enabled, Origins } = reachable(deps)
      return {
        StationName: settings.stationName,
        Enabled,
        Ca: held === null ? null : pairingCa(held, origin),
        Origins,
        Secure: origin.startsWith('https:'),
      }
    }),
    bytes(contract.getCaPem, async () => file(Buffer.from(authority()), 'application/x-pem-file', 'sallyport-ca.pem')),
    bytes(contract.getCaDer, async () =>
      file(Buffer.from(readCertificate(authority()).der), 'application/x-x509-ca-cert', 'sallyport-ca.crt'),
    ),
  ]
}

const file = (body: Buffer, type: string, name: string) => ({
  status: 200,
  headers: {
    'Content-Type': type,
    'Content-Length': String(body.length),
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  },
  body,
})

function reachable({ lan, listener, certificates, settings }: Deps) {
  const { row, machine } = lan.state()
  const all = names.namesOf(row, settings, machine)
  const outside = certificates.outside(all)
  const port = listener.port()
  return {
    Enabled: port !== null,
    Origins:
      port === null
        ? []
        : names.origins(
            all.filter((name) => !outside.includes(name)),
            port,
          ),
    outside,
  }
}

function status(deps: Deps): LanOut {
  const { lan, listener, certificates, announcer, settings } = deps
  const { row, problem, machine, port } = lan.state()
  const { Origins, outside } = reachable(deps)
  const held = certificates.current()
  const refused = listener.refused()
  const announced = announcer.state()
  return {
    Enabled: row.enabled,
    Listening: listener.port() !== null,
    Problem: problem,
    Host: settings.host,
    Port: port,
    MachineName: machine.name,
    LocalName: machine.localName,
    Names: [...row.names],
    Addresses: names.addressesOf(settings, machine),
    NamesOutsideCa: outside,
    Origins,
    AllowList: [...row.allowed],
    AllowedNetworks: [...names.networksOf(row)],
    Ca: held === null ? null : authorityModel(held),
    Certificate: held === null ? null : certificateModel(held),
    PreviousCa:
      row.replaced === null
        ? null
        : { Sha256Fingerprint: row.replaced.fingerprint, ReplacedTimeUtc: isoMillis(row.replaced.at) },
    Announced: {
      State: announced.state,
      Service: `${announcedName(settings, machine)}._${SERVICE}._tcp.local`,
      Problem: announced.problem,
    },
    Refused: {
      Connections: refused.connections,
      LastAddress: refused.last,
      LastTimeUtc: refused.at === null ? null : isoMillis(refused.at),
    },
    Connected: listener.hosts().filter(({ connections }) => connections > 0).length,
  }
}
