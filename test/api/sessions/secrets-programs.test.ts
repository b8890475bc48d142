/**
 * S3, for what lets people and programs in beside passwords: seeds of second steps, recovery codes, authorization codes, refresh and
 * access tokens, challenges of passkeys, API keys, private keys. Each is used as it should be and wrongly, then looked for everywhere.
 */
import { expect, it } from 'vitest'
import { Secret, TOTP } from 'otpauth'
import { brought, created } from '../../support/authenticator.ts'
import type { Json } from '../../support/given.ts'
import { codeFrom, exchange, letIn, post, refresh } from './programs.ts'
import { forms } from './secret-forms.ts'
import { CLI, PASSWORD, QUICK, startWorld } from './world.ts'

const NEW = 'nine herons on one leg'

it('S3: what lets in beside passwords is in no database, ledger, log or key file, but where it is meant', async () => {
  let world = await startWorld({ passwords: QUICK })
  const secrets = new Map<string, string>()
  const kept = (name: string, secret: string): string => {
    expect([name, secret.length >= 16]).toEqual([name, true])
    secrets.set(name, secret)
    return secret
  }
  await world.user('officer')
  const page = world.page('localhost')
  const origin = `http://localhost:${world.port}`
  const send = async (place: string, body: unknown): Promise<Json> => (await page.send('POST', place, { body })).json
  await page.signIn('officer', PASSWORD)

  // A second step and its codes
  const begun = await send('/connect/account/second-step', { Password: PASSWORD })
  const seed = kept('seed', begun.Secret)
  const bytes = Secret.fromBase32(seed)
  secrets.set('seed in hexadecimal', bytes.hex)
  const code = (): string => new TOTP({ secret: bytes }).generate({ timestamp: world.clock.now() })
  const { RecoveryCodes } = await send('/connect/account/second-step/confirm', { Code: code() })
  for (const [at, one] of RecoveryCodes.entries()) {
    kept(`recovery code ${at}`, one)
    secrets.set(`recovery code ${at}, as one`, one.replaceAll('-', ''))
  }
  world.clock.advance(60_000)
  await page.send('POST', '/connect/session', {
    body: { Username: 'officer', Password: PASSWORD, NoticeId: 'default', Code: RecoveryCodes[0] },
  })
  await page.send('POST', '/connect/session', {
    body: { Username: 'officer', Password: PASSWORD, NoticeId: 'default', Code: RecoveryCodes[0] },
  })

  // Passkeys
  const making = await send('/connect/account/passkeys/begin', { Password: PASSWORD, Code: code() })
  kept('challenge for making', making.Options.challenge)
  const { passkey, response } = created(making.Options, origin)
  const made = await page.send('POST', '/connect/account/passkeys', { body: { Name: 'Desk', Response: response } })
  expect(made.status).toBe(201)
  for (const [name, wrong] of [
    ['good', {}],
    ['refused', { flags: 1 }],
  ] as const) {
    const { Options } = await send('/connect/session/passkey/begin', {})
    kept(`challenge, ${name}`, Options.challenge)
    const Response = brought(passkey, Options, origin, wrong)
    await send('/connect/session/passkey', { NoticeId: 'default', Response })
  }
  const left = await send('/connect/session/passkey/begin', {})
  kept('challenge, never brought', left.Options.challenge)

  // Programs
  const program = await letIn(world, page)
  kept('access token', program.access)
  kept('ID token', program.id)
  kept('refresh token', program.refresh)
  kept('refresh token, the next', (await refresh(world, program.refresh)).body['refresh_token'] as string)
  await refresh(world, program.refresh)
  const { code: authorization, verifier } = await codeFrom(page)
  kept('authorization code', authorization)
  kept('code verifier', verifier)
  await exchange(world, authorization, 'wrong'.repeat(10))
  await exchange(world, authorization, verifier)
  const given = await letIn(world, page)
  kept('refresh token, given back', given.refresh)
  await post(world, '/connect/revocation', { client_id: 'viewer', token: given.refresh })

  // Integrations
  const { connection } = await world.users.createIntegration(CLI, { name: 'uploader', baseUrl: world.url })
  const key = connection.ServicePrincipalKey as unknown as Record<string, string>
  kept('API key', connection.APIKey)
  for (const member of ['d', 'p', 'q']) kept(`private key ${member}`, key[member] as string)
  kept('token of an integration', await world.token())

  // A password of one's own choice
  world.clock.advance(60_000)
  await send('/connect/account/password', { Password: PASSWORD, NewPassword: NEW, Code: code() })
  kept('new password', NEW)

  world = await world.restart()
  const written = await world.written()
  await world.close()
  // What is looked through is what was written.
  for (const known of ['passkey.added', 'authorization.ended', 'secondStep.recoveryUsed', 'user.passwordChanged'])
    expect([known, written.includes(known)]).toEqual([known, true])
  const found = [...secrets].flatMap(([name, secret]) =>
    forms(secret)
      .filter((form) => written.includes(form))
      .map((form) => `${name}: ${form.toString().slice(0, 12)}…`),
  )
  expect(found).toEqual([])
})
