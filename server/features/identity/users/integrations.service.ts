import type { z } from 'zod'
import type {
  ConnectedService,
  CreateServiceModel,
  ServiceListItem,
  ServiceModel,
} from '../../../../shared/identity/services.contract.ts'
import { fault } from '../../../../shared/kernel/errors.ts'
import type { Time } from '../../../../shared/kernel/time.ts'
import type { Call } from '../../../kernel/ledger/call.ts'
import type { Tx } from '../../../kernel/database/database.ts'
import { isoMillis } from '../../../platform/clock/clock.ts'
import type { HttpCall } from '../../../http/handlers.ts'
import { type ConnectionFile, connectionFile } from './connection-file.ts'
import { policyTexts } from './policies.ts'
import { groupsAndPoliciesOf, objectOf, pageOf, readCursor } from './principals.models.ts'
import * as rows from './principals.store.ts'
import type { PrincipalView } from './principals.store.ts'
import { searchWords } from './search-key.ts'
import { validityOf, makeApiKey, makeServiceKeys, registrableKey } from './service-keys.ts'
import { disable, enable, withPascalPaths, requirePrincipal, type AccountStateDeps } from './account-state.ts'
import { endApiKey, endKeys, insertApiKey, insertServiceKey } from './users.store.ts'
import type { UsersService } from './users.service.ts'

type Service = z.input<typeof ServiceModel>
type ListItem = z.input<typeof ServiceListItem>
type Connected = z.input<typeof ConnectedService>

interface GivenKey {
  readonly key: Readonly<Record<string, unknown>>
  readonly notBefore: Time | null
  readonly expires: Time | null
}

/** How a key is replaced. */
export interface Rotation {
  /** How long the old key is still accepted; 0: it ends at once. */
  readonly overlapMinutes: number
  /** Used for an integration that was created without an address of its own. */
  readonly origin: string
}

/** Integrations (decisions 3 and 9). The station stores only public keys and hashes; the answers hold the only copy of secrets. */
export interface Integrations {
  list(
    tenant: string,
    filter: { text: string; enabled?: boolean | undefined },
    page: { cursor: string | undefined; count: number },
  ): Promise<{ Items: ListItem[]; Cursor: string | null }>
  /** @throws Fault InvalidModel with every problem listed; NameTaken */
  create(call: HttpCall, tenant: string, given: z.output<typeof CreateServiceModel>, origin: string): Promise<Connected>
  /** @throws Fault ServiceNotFound, as all that follow */
  read(tenant: string, id: string): Promise<Service>
  rotateKey(
    call: Call,
    tenant: string,
    id: string,
    rotation: Rotation,
  ): Promise<{ Service: Service; Connection: ConnectionFile; OldEndsUtc: string }>
  /** @throws Fault InvalidJsonWebKeys, InvalidJsonWebKeyValidityPeriod */
  registerKey(call: Call, tenant: string, id: string, given: GivenKey): Promise<Service>
  rotateApiKey(
    call: Call,
    tenant: string,
    id: string,
    rotation: Pick<Rotation, 'overlapMinutes'>,
  ): Promise<{ Service: Service; APIKey: string; OldEndsUtc: string }>
  /** Creates a further API key. @throws Fault NameTaken; InvalidModel when there are too many */
  makeApiKey(call: Call, tenant: string, id: string, name: string): Promise<{ Service: Service; APIKey: string }>
  /** @throws Fault ApiKeyNotFound */
  revokeApiKey(call: Call, tenant: string, id: string, apiKeyId: string): Promise<Service>
  /** @throws Fault CannotRemoveLastAccessPolicyWithFullPermissions */
  disable(call: Call, tenant: string, id: string): Promise<Service>
  enable(call: Call, tenant: string, id: string): Promise<Service>
}

/** The most valid API keys of an integration. */
const MOST_API_KEYS = 20
/** The most signing keys; each of them may be tried for one assertion (tokens/assertion.ts). */
const MOST_KEYS = 10

export interface IntegrationsDeps extends AccountStateDeps {
  readonly users: UsersService
}

export function createIntegrations(deps: IntegrationsDeps): Integrations {
  const { db, ledger, clock } = deps
  return {
    list: async (tenant, { text, enabled }, { cursor, count }) => {
      const found = await rows.principalsPage(
        db.read,
        tenant,
        { kinds: ['service'], words: searchWords(text), enabled },
        { after: readCursor(cursor), count: count + 1 },
      )
      const { shown, cursor: next } = pageOf(found, count)
      const ids = shown.map(({ principal_id: id }) => id)
      const administrators = await rows.administratorsAmong(db.read, ids)
      return {
        Items: shown.map((row) => listItem(row, administrators.has(row.principal_id))),
        Cursor: next,
      }
    },
    create: (call, tenant, given, origin) => create(deps, call, tenant, given, origin),
    read: async (tenant, id) => model(deps, db.read, await requireService(db.read, tenant, id)),
    rotateKey: (call, tenant, id, rotation) => rotateKey(deps, call, tenant, id, rotation),
    registerKey: (call, tenant, id, given) => registerKey(deps, call, tenant, id, given),
    rotateApiKey: (call, tenant, id, rotation) => rotateApiKey(deps, call, tenant, id, rotation),
    makeApiKey: async (call, tenant, id, name) => {
      const { apiKey, keyHash } = makeApiKey()
      const nowUtc = isoMillis(clock.now())
      const Service = await changeService(deps, tenant, id, async (tx, row) => {
        const existing = await rows.validApiKeys(tx, row.principal_id, nowUtc)
        if (existing.some((key) => key.name === name))
          throw fault('NameTaken', `There is an API key "${name}" already.`, [{ Path: 'Name', Message: 'is taken' }])
        if (existing.length >= MOST_API_KEYS)
          throw fault('InvalidModel', `An integration has at most ${MOST_API_KEYS} API keys. Take one away first.`)
        await insertApiKey(tx, { principalId: row.principal_id, keyHash, createdUtc: nowUtc, name })
        await ledger.append(tx, call, { action: 'service.apiKeyMade', object: objectOf(row), detail: { name } })
      })
      return { Service, APIKey: apiKey }
    },
    revokeApiKey: (call, tenant, id, apiKeyId) =>
      changeService(deps, tenant, id, async (tx, row) => {
        const nowUtc = isoMillis(clock.now())
        const existing = await rows.validApiKeys(tx, row.principal_id, nowUtc)
        const key = existing.find((row) => String(row.api_key_id) === apiKeyId)
        if (key === undefined) throw fault('ApiKeyNotFound', `There is no API key ${apiKeyId} that counts.`)
        await endApiKey(tx, key.api_key_id, nowUtc)
        await ledger.append(tx, call, {
          action: 'service.apiKeyRevoked',
          object: objectOf(row),
          detail: { name: key.name, created: key.created_utc, lastUsed: key.last_used_utc },
        })
      }),
    disable: (call, tenant, id) => changeService(deps, tenant, id, (tx, row) => disable(deps, tx, call, row)),
    enable: (call, tenant, id) => changeService(deps, tenant, id, (tx, row) => enable(deps, tx, call, row)),
  }
}

async function create(
  deps: IntegrationsDeps,
  call: HttpCall,
  tenant: string,
  given: z.output<typeof CreateServiceModel>,
  origin: string,
): Promise<Connected> {
  let service: Service | undefined
  const made = {
    name: given.Name,
    baseUrl: given.BaseUrl ?? origin,
    groupIds: given.GroupIds ?? [],
    policies: policyTexts(given.Policies ?? []),
  }
  const { connection } = await withPascalPaths(
    deps.users.createIntegration(call, made, async (tx, { principalId }) => {
      service = await model(deps, tx, await requireService(tx, tenant, principalId))
      // Without the keys, which must not be stored in the database. A repeated call gets an answer without them.
      await call.rememberAnswer(tx, { Service: service, Connection: null })
    }),
  )
  return { Service: service as Service, Connection: connection }
}

async function rotateKey(
  deps: IntegrationsDeps,
  call: Call,
  tenant: string,
  id: string,
  { overlapMinutes, origin }: Rotation,
): Promise<{ Service: Service; Connection: ConnectionFile; OldEndsUtc: string }> {
  await requireService(deps.db.read, tenant, id)
  const { publicKey, privateKey } = await makeServiceKeys()
  const { apiKey, keyHash } = makeApiKey()
  const registered = await registrableKey(publicKey.export({ format: 'jwk' }) as Record<string, unknown>, '')
  const { nowUtc, endsUtc } = whenOldEnds(deps, overlapMinutes)
  let kId = ''
  let baseUrl = origin
  const Service = await changeService(deps, tenant, id, async (tx, row) => {
    kId = row.k_id
    baseUrl = row.base_url ?? origin
    const before = await rows.validKeys(tx, row.principal_id, nowUtc)
    for (const table of ['service_keys', 'api_keys'] as const)
      await endKeys(tx, table, row.principal_id, { nowUtc, expiresUtc: endsUtc })
    await insertServiceKey(tx, {
      principalId: row.principal_id,
      thumbprint: registered.thumbprint,
      jwk: JSON.stringify({ ...registered.jwk, kid: kId }),
      notBeforeUtc: null,
      expiresUtc: null,
      createdUtc: nowUtc,
    })
    await insertApiKey(tx, { principalId: row.principal_id, keyHash, createdUtc: nowUtc })
    await deps.ledger.append(tx, call, {
      action: 'service.keyRotated',
      object: objectOf(row),
      detail: {
        before: before.map(({ thumbprint }) => thumbprint),
        after: registered.thumbprint,
        oldEnds: endsUtc ?? nowUtc,
      },
    })
  })
  const certificates = deps.users.thumbprints(baseUrl)
  const parts = { tenantId: tenant, principalId: id, kId, privateKey, apiKey, origin: baseUrl, certificates }
  return { Service, Connection: connectionFile(parts), OldEndsUtc: endsUtc ?? nowUtc }
}

async function registerKey(deps: IntegrationsDeps, call: Call, tenant: string, id: string, given: GivenKey) {
  const { ledger, clock } = deps
  const { key } = given
  const validity = validityOf(key, given, clock.now())
  const period = { notBefore: validity.notBefore?.text ?? null, expires: validity.expires?.text ?? null }
  return changeService(deps, tenant, id, async (tx, row) => {
    const { jwk, thumbprint } = await registrableKey(key, row.k_id)
    const existing = await rows.validKeys(tx, row.principal_id, isoMillis(clock.now()))
    if (existing.length >= MOST_KEYS) {
      const Message = `There are ${existing.length} keys already. Rotate the key, which ends them all.`
      throw fault('InvalidModel', Message, [{ Path: 'Key', Message }])
    }
    await insertServiceKey(tx, {
      principalId: row.principal_id,
      thumbprint,
      jwk: JSON.stringify(jwk),
      notBeforeUtc: period.notBefore,
      expiresUtc: period.expires,
      createdUtc: isoMillis(clock.now()),
    })
    await ledger.append(tx, call, {
      action: 'service.keyRegistered',
      object: objectOf(row),
      detail: { thumbprint, ...period },
    })
  })
}

async function rotateApiKey(
  deps: IntegrationsDeps,
  call: Call,
  tenant: string,
  id: string,
  { overlapMinutes }: Pick<Rotation, 'overlapMinutes'>,
): Promise<{ Service: Service; APIKey: string; OldEndsUtc: string }> {
  const { apiKey, keyHash } = makeApiKey()
  const { nowUtc, endsUtc } = whenOldEnds(deps, overlapMinutes)
  const Service = await changeService(deps, tenant, id, async (tx, row) => {
    const before = await rows.validApiKeys(tx, row.principal_id, nowUtc)
    await endKeys(tx, 'api_keys', row.principal_id, { nowUtc, expiresUtc: endsUtc })
    await insertApiKey(tx, { principalId: row.principal_id, keyHash, createdUtc: nowUtc })
    await deps.ledger.append(tx, call, {
      action: 'service.apiKeyRotated',
      object: objectOf(row),
      detail: {
        before: before.map(({ created_utc: created }) => ({ created })),
        after: { created: nowUtc },
        oldEnds: endsUtc ?? nowUtc,
      },
    })
  })
  return { Service, APIKey: apiKey, OldEndsUtc: endsUtc ?? nowUtc }
}

const requireService = (from: Tx, tenant: string, id: string) => requirePrincipal(from, tenant, 'service', id)

const changeService = (
  deps: IntegrationsDeps,
  tenant: string,
  id: string,
  work: (tx: Tx, row: PrincipalView) => Promise<unknown>,
): Promise<Service> =>
  deps.db.transaction(async (tx) => {
    await work(tx, await requireService(tx, tenant, id))
    return model(deps, tx, await requireService(tx, tenant, id))
  })

function whenOldEnds({ clock }: IntegrationsDeps, overlapMinutes: number) {
  const now = clock.now()
  const nowUtc = isoMillis(now)
  return { nowUtc, endsUtc: overlapMinutes === 0 ? null : isoMillis(now + overlapMinutes * 60_000) }
}

const listItem = (row: PrincipalView, administrator: boolean): ListItem => ({
  PrincipalId: String(row.principal_id),
  KId: row.k_id,
  Name: row.name,
  BaseUrl: row.base_url,
  Enabled: row.enabled === 1,
  Administrator: administrator,
  CreatedUtcTime: row.created_utc,
})

async function model({ clock }: IntegrationsDeps, from: Tx, row: PrincipalView): Promise<Service> {
  const nowUtc = isoMillis(clock.now())
  const keys = await rows.validKeys(from, row.principal_id, nowUtc)
  const apiKeys = await rows.validApiKeys(from, row.principal_id, nowUtc)
  const administrators = await rows.administratorsAmong(from, [row.principal_id])
  return {
    ...listItem(row, administrators.has(row.principal_id)),
    ...(await groupsAndPoliciesOf(from, row)),
    Keys: keys.map((key) => ({ Thumbprint: key.thumbprint, ...validity(key) })),
    ApiKeys: apiKeys.map((key) => ({
      ApiKeyId: String(key.api_key_id),
      Name: key.name,
      LastUsedUtc: key.last_used_utc,
      ...validity(key),
    })),
  }
}

const validity = (key: Pick<rows.ValidKeyRow, 'created_utc' | 'expires_utc'>) => ({
  CreatedUtcTime: key.created_utc,
  ExpiresUtc: key.expires_utc,
})
