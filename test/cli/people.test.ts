// @module-tag merge
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Station } from '../support/station.ts'
import { filesIn, ledger, makePlace, PASSWORD, type Place, rows, running, say, sayJson } from './world.ts'

const BASE = 'http://127.0.0.1:7460'

const RUNNING = 'while a station runs'

// Without a station each command opens one of its own, and takes as long.
for (const { how, tags } of [
  { how: RUNNING, tags: [] },
  { how: 'while none runs', tags: ['merge' as const] },
])
  describe(`accounts and integrations ${how}`, { tags }, () => {
    let place: Place
    let station: Station | null = null
    const at = (input?: string) => ({ data: place.data, ...(input === undefined ? {} : { input }) })
    // What does not depend on where a command is done is tried once.
    const once = (title: string, test: () => Promise<void>): void => {
      if (how === RUNNING) it(title, test)
    }
    const create = (...words: string[]) => say(['integration', 'create', ...words], at())

    beforeAll(async () => {
      place = makePlace('people')
      if (how === RUNNING) station = await running(place.data)
    })
    afterAll(async () => {
      await station?.stop()
      place.remove()
    })

    it('setup lists all problems of a password, and creates no account', async () => {
      const { code, stdout, stderr } = await say(
        ['setup', '--username', 'sergeant', '--password-stdin'],
        at('sergeant'),
      )
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/fewer than 12 characters/)
      expect(stderr).not.toMatch(/ at .*\.ts/)
      expect(rows(place.data, "SELECT * FROM principals WHERE kind = 'user'")).toEqual([])
    })

    once('setup takes the password from standard input and from nowhere else', async () => {
      for (const words of [
        ['setup', '--username', 'sergeant'],
        ['setup', '--username', 'sergeant', '--password', PASSWORD],
        ['setup', '--password-stdin'],
      ]) {
        const { code, stderr } = await say(words, at(PASSWORD))
        expect(code, words.join(' ')).toBe(2)
        expect(stderr).toMatch(/^Usage: setup --username U --password-stdin$/m)
      }
    })

    it('setup creates the first administrator, once, in the name of the operating system user', async () => {
      const made = await say(['setup', '--username', 'sergeant', '--password-stdin'], at(`${PASSWORD}\n`))
      expect(made).toMatchObject({ code: 0, stderr: '' })
      // The station's public key comes with it, to be kept on paper.
      expect(made.stdout).toMatch(
        /^sergeant is the first administrator \(principal \d+\)\.\nThe station’s public key\. [^\n]+\n {2}sallyport\.local\/[0-9a-f]{16}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}\nIts SHA-256 fingerprint:\n {2}(?:[0-9a-f]{8} ?){8}\n/,
      )
      // A station makes the key of its packages when it starts for the first time.
      expect(
        /The fingerprint of the key that signs packages, [^\n]+:\n {2}(?:[0-9a-f]{8} ?){8}\n$/.test(made.stdout),
      ).toBe(how === RUNNING)

      const again = await say(['setup', '--username', 'second', '--password-stdin'], at(PASSWORD))
      expect(again).toMatchObject({ code: 1, stdout: '' })
      expect(again.stderr).toMatch(/an administrator already/)

      const entry = ledger(place.data).findLast(({ action }) => action === 'user.created')
      const user = userInfo().username
      expect(entry).toMatchObject({
        actor: { kind: 'cli', id: user, name: `cli:${user}` },
        source: 'cli',
        outcome: 'ok',
        object: { type: 'user', name: 'sergeant' },
        detail: { firstAdministrator: true },
      })
      for (const file of filesIn(place.data))
        expect(readFileSync(join(place.data, file)).includes(PASSWORD), `${file} holds the password`).toBe(false)
    })

    it('user create stores every flag', async () => {
      const officer = await sayJson<{ principalId: string; username: string }>(
        'user create officer --password-stdin --group Patrol --policies CreateCases,AccessUnassociatedFiles:Download'.split(
          ' ',
        ),
        at(PASSWORD),
      )
      const guest = await say(['user', 'create', 'visitor', '--password-stdin', '--guest'], at(PASSWORD))
      expect(guest).toMatchObject({ code: 0, stdout: expect.stringMatching(/^User visitor is made/) })
      expect(rows(place.data, "SELECT name, guest FROM principals WHERE kind = 'user' AND name <> 'sergeant'")).toEqual(
        [
          { name: 'officer', guest: 0 },
          { name: 'visitor', guest: 1 },
        ],
      )
      expect(
        rows(
          place.data,
          `SELECT policy, level FROM policy_members WHERE principal_id = ${officer.principalId} ORDER BY 1`,
        ),
      ).toEqual([
        { policy: 'AccessUnassociatedFiles', level: 'Download' },
        { policy: 'CreateCases', level: null },
      ])
      expect(
        rows(
          place.data,
          `SELECT g.name FROM memberships JOIN principals g ON group_id = g.principal_id WHERE member_id = ${officer.principalId}`,
        ),
      ).toEqual([{ name: 'Patrol' }])
    })

    once('user create lists every problem', async () => {
      const { code, stderr } = await say(
        ['user', 'create', ' x', '--password-stdin', '--policies', 'Nonsense,ManageDevices', '--guest'],
        at('short'),
      )
      expect(code).toBe(1)
      for (const path of ['username', 'password', 'policies']) expect(stderr).toMatch(new RegExp(`^ {2}${path}: `, 'm'))
      expect(await say(['user', 'create', '--password-stdin'], at(PASSWORD))).toMatchObject({ code: 2 })
      expect(await say(['user', 'create', 'officer', '--password-stdin'], at(PASSWORD))).toMatchObject({ code: 1 })
    })

    // Five commands, each a station of its own where none runs: a busy machine takes its time.
    it('user reset, disable, enable and unlock do what they say, by the name of whoever typed it', {
      timeout: 120_000,
    }, async () => {
      const made = await sayJson<{ principalId: string }>(
        'user create warden --password-stdin'.split(' '),
        at(PASSWORD),
      )
      const warden = () =>
        rows<{ enabled: number; password_hash: string }>(
          place.data,
          `SELECT enabled, password_hash FROM principals WHERE principal_id = ${made.principalId}`,
        )[0]
      const first = warden()
      const page = async (password: string): Promise<number> => {
        const body = JSON.stringify({ Username: 'warden', Password: password, NoticeId: 'default' })
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`${station?.url}/connect/session`, { method: 'POST', headers, body })).status
      }
      const other = `${PASSWORD} at night`
      const reset = await say(['user', 'reset', 'WARDEN', '--password-stdin'], at(`${other}\n`))
      expect(reset).toMatchObject({ code: 0, stderr: '' })
      expect(reset.stdout).toBe(`User warden has a new password (principal ${made.principalId}).\n`)
      expect(warden()?.password_hash).not.toBe(first?.password_hash)
      if (station !== null) expect([await page(PASSWORD), await page(other)]).toEqual([401, 200])
      // Whoever typed the command knows it: it is changed before anything else.
      const due = `SELECT password_due FROM principals WHERE principal_id = ${made.principalId}`
      expect(rows(place.data, due)).toEqual([{ password_due: 1 }])

      expect((await say(['user', 'disable', 'warden'], at())).stdout).toMatch(
        /^User warden is disabled \(principal \d+\)/,
      )
      expect(warden()?.enabled).toBe(0)
      if (station !== null) expect(await page(other)).toBe(401)
      expect(await sayJson(['user', 'enable', 'warden'], at())).toEqual({
        principalId: made.principalId,
        username: 'warden',
      })
      expect(warden()?.enabled).toBe(1)

      const failures = (): number =>
        rows(place.data, "SELECT * FROM sign_in_failures WHERE subject LIKE 'account %'").length
      if (station !== null) {
        expect(await page(PASSWORD)).toBe(401)
        expect(failures()).toBe(1)
      }
      const freed = await say(['user', 'unlock', 'warden'], at())
      expect(freed).toMatchObject({ code: 0, stdout: expect.stringMatching(/^User warden can sign in again/) })
      expect(failures()).toBe(0)

      const user = userInfo().username
      const about = ledger(place.data).filter(({ object }) => object.id === made.principalId)
      const acts = about.filter(({ action }) => action.startsWith('user.') && action !== 'user.created')
      expect(acts.map(({ action, actor, source }) => [action, actor.name, source])).toEqual([
        ['user.passwordReset', `cli:${user}`, 'cli'],
        ['user.disabled', `cli:${user}`, 'cli'],
        ['user.enabled', `cli:${user}`, 'cli'],
        ['user.unlocked', `cli:${user}`, 'cli'],
      ])
      for (const file of filesIn(place.data))
        expect(readFileSync(join(place.data, file)).includes(other), `${file} holds the password`).toBe(false)
    })

    once('user contain takes a reason, says what ended, and leaves no password', async () => {
      const made = await sayJson<{ principalId: string }>('user create taken --password-stdin'.split(' '), at(PASSWORD))
      expect(await say(['user', 'contain', 'taken'], at())).toMatchObject({ code: 2, stdout: '' })
      const { code, stdout } = await say(['user', 'contain', 'taken', '--reason', 'laptop stolen'], at())
      expect([code, stdout]).toEqual([
        0,
        `User taken is contained (principal ${made.principalId}): 0 sessions, 0 programs, 0 passkeys and 0 uploads ended.\n`,
      ])
      expect(rows(place.data, "SELECT enabled, password_hash FROM principals WHERE name = 'taken'")).toEqual([
        { enabled: 0, password_hash: null },
      ])
      const about = ledger(place.data).filter(({ object }) => object.id === made.principalId)
      expect(about.find(({ action }) => action === 'user.contained')).toMatchObject({
        reason: 'laptop stolen',
        source: 'cli',
      })
    })

    it('the last administrator cannot be disabled here either', async () => {
      const last = await say(['user', 'disable', 'sergeant'], at())
      expect(last).toMatchObject({ code: 1, stdout: '' })
      expect(last.stderr).toMatch(/last enabled user among Account Administrators/)
      expect(rows(place.data, "SELECT enabled FROM principals WHERE name = 'sergeant'")).toEqual([{ enabled: 1 }])
    })

    once('nobody is changed who is not there, and no password is set that cannot be used', async () => {
      for (const act of ['unlock', 'disable', 'enable']) {
        const { code, stderr } = await say(['user', act, 'nobody'], at())
        expect({ code, stderr }).toEqual({ code: 1, stderr: 'There is no user "nobody".\n' })
      }
      const weak = await say(['user', 'reset', 'sergeant', '--password-stdin'], at('sergeant'))
      expect(weak).toMatchObject({ code: 1, stdout: '' })
      expect(weak.stderr).toMatch(/fewer than 12 characters/)
    })

    once('user reset-second-step and reset-passkeys say where there is none', async () => {
      await sayJson('user create one-step --password-stdin'.split(' '), at(PASSWORD))
      const said = await say(['user', 'reset-second-step', 'one-step'], { data: place.data })
      expect([said.code, said.stdout]).toEqual([1, ''])
      expect(said.stderr).toMatch(/second step/i)
      const keys = await say(['user', 'reset-passkeys', 'one-step'], { data: place.data })
      expect([keys.code, keys.stdout, keys.stderr]).toEqual([1, '', expect.stringMatching(/no passkey/i)])
    })

    once('user reset, unlock, disable and enable need their words, and a station', async () => {
      for (const words of [
        ['user', 'reset', 'sergeant'],
        ['user', 'reset', '--password-stdin'],
        ['user', 'unlock'],
        ['user', 'disable', 'one', 'two'],
        ['user', 'enable', 'sergeant', '--force'],
      ]) {
        const { code, stderr } = await say(words, at(PASSWORD))
        expect(code, words.join(' ')).toBe(2)
        expect(stderr).toMatch(new RegExp(`^Usage: user ${words[1]} U`, 'm'))
      }
      const nowhere = await say(['user', 'unlock', 'sergeant'], { data: place.path('nowhere') })
      expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no station in /) })
    })

    it('integration create writes a connection file for its owner alone, with every member', async () => {
      const file = place.path('config.json')
      const made = await create(
        'tour',
        '--base-url',
        BASE,
        '--policies',
        'PushCadEvents',
        '--group',
        'Cad',
        '--out',
        file,
      )
      expect(made).toMatchObject({ code: 0, stderr: '' })
      expect(made.stdout).toContain(file)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const text = readFileSync(file, 'utf8')
      const connection = JSON.parse(text) as Record<string, unknown>
      const id = rows<{ principal_id: number; k_id: string }>(
        place.data,
        "SELECT principal_id, k_id FROM principals WHERE kind = 'service'",
      )[0]
      expect(connection).toEqual({
        TenantId: 'station',
        ServicePrincipalId: String(id?.principal_id),
        ServicePrincipalKey: {
          k: null,
          x5t: null,
          kid: id?.k_id,
          kty: 'RSA',
          use: null,
          e: 'AQAB',
          nbf: '0001-01-01T00:00:00',
          exp: '0001-01-01T00:00:00',
          ...Object.fromEntries(
            ['n', 'd', 'p', 'q', 'dp', 'dq', 'qi'].map((m) => [m, expect.stringMatching(/^[\w-]{80,}$/)]),
          ),
        },
        APIKey: expect.stringMatching(/^.{20,}$/),
        ApiBaseAddresses: [BASE],
        SecurityTokenServiceBaseAddresses: [`${BASE}/connect`],
        CADApiAddresses: [`${BASE}/cadservice`],
        CaseServiceBaseAddresses: [`${BASE}/api/v1`],
        DeviceServiceBaseAddresses: [`${BASE}/api/v1`],
        DocumentStoreBaseAddresses: [`${BASE}/api/v1`],
        KeyStoreBaseAddresses: [`${BASE}/keystore/api/v1`],
        SearchServiceBaseAddresses: [`${BASE}/searchservice/api/v1`],
        UserServiceBaseAddresses: [`${BASE}/userservice/api/v1`],
        CertificateThumbprints: [],
        DisableEncryption: true,
      })
      expect(rows(place.data, `SELECT policy FROM policy_members WHERE principal_id = ${id?.principal_id}`)).toEqual([
        { policy: 'PushCadEvents' },
      ])

      // The private key and the API key are in that file and nowhere else.
      const secrets = [connection['APIKey'], (connection['ServicePrincipalKey'] as { d: string }).d] as string[]
      for (const stored of filesIn(place.data)) {
        const bytes = readFileSync(join(place.data, stored))
        for (const secret of secrets) expect(bytes.includes(secret), stored).toBe(false)
      }

      // Never replaced, and then nothing is made in the station either.
      const again = await create('another', '--base-url', BASE, '--out', file)
      expect(again).toMatchObject({ code: 1, stdout: '' })
      expect(again.stderr).toMatch(/never replaced/)
      expect(readFileSync(file, 'utf8')).toBe(text)
    })

    it('integration create makes nothing when the file cannot be written, and leaves no file when the station refuses', async () => {
      writeFileSync(place.path('plain'), '')
      for (const out of [place.path('nowhere/config.json'), place.path('plain/config.json'), place.dir]) {
        const { code, stderr } = await create('lost', '--base-url', BASE, '--out', out)
        expect(code, out).toBe(1)
        expect(stderr).toContain(out)
      }
      const refused = place.path('refused.json')
      const refusals = [
        ['tour', '--base-url', BASE],
        ['bad-address', '--base-url', `${BASE}/path`],
        ['bad-policy', '--base-url', BASE, '--policies', 'Nonsense'],
      ]
      for (const words of station === null ? refusals.slice(0, 1) : refusals) {
        const { code, stderr } = await create(...words, '--out', refused)
        expect(code, words.join(' ')).toBe(1)
        expect(stderr).not.toBe('')
        expect(existsSync(refused)).toBe(false)
      }
      expect(await create('x', '--base-url', BASE)).toMatchObject({ code: 2 })
      expect(rows(place.data, "SELECT name FROM principals WHERE kind = 'service'")).toEqual([{ name: 'tour' }])
    })

    it('token prints an access token, or the reason why it cannot', async () => {
      const config = place.path('token.json')
      await sayJson(['integration', 'create', 'curl', '--base-url', station?.url ?? BASE, '--out', config], at())
      if (station === null) {
        // Nobody answers on this port.
        const text = readFileSync(config, 'utf8').replaceAll(BASE, 'http://127.0.0.1:1')
        chmodSync(config, 0o600)
        writeFileSync(config, text)
        const { code, stdout, stderr } = await say(['token', '--config', config], at())
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
        expect(stderr).toMatch(/Nobody answers/)
      } else {
        const { code, stdout, stderr } = await say(['token', '--config', config, '--data', place.data])
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
        expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
        const answer = await sayJson(['token', '--config', config])
        expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600, access_token: expect.any(String) })
        const forged = place.path('forged.json')
        writeFileSync(
          forged,
          readFileSync(config, 'utf8').replace(/"ServicePrincipalId": "\d+"/, '"ServicePrincipalId": "1"'),
        )
        expect(await say(['token', '--config', forged])).toMatchObject({ code: 1, stdout: '' })
      }
      for (const file of [place.path('not-there.json'), place.path('plain')]) {
        const { code, stderr } = await say(['token', '--config', file])
        expect(code, file).toBe(1)
        expect(stderr).toContain(file)
      }
    })
  })
