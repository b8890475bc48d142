import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { forms } from './secret-forms.ts'
import { PASSWORD, QUICK, startWorld, WRONG } from './world.ts'

it('S3: passwords, cookies and set-up tokens are in no database, ledger, log or answer', async () => {
  let world = await startWorld({ fresh: true, passwords: QUICK })
  const token = (await world.setupToken()) as string
  const page = world.page()
  const answers: string[] = []
  const cookies = new Set<string>()
  const send = async (method: string, address: string, body?: unknown): Promise<void> => {
    const answer = await page.send(method, address, { body, headers: { 'user-agent': 'x' } })
    answers.push(answer.text)
    if (page.cookie !== null) cookies.add(page.cookie.split('=')[1] as string)
  }
  const person = { Username: 'chief', NoticeId: 'default' }
  await send('POST', '/connect/setup', { Token: `${token}x`, Password: PASSWORD, ...person })
  await send('POST', '/connect/setup', { Token: token, Password: 'tiny canary', ...person })
  await send('POST', '/connect/setup', { Token: token, Password: PASSWORD, ...person })
  await send('POST', '/connect/session/lock')
  await send('POST', '/connect/session/unlock', { Password: WRONG })
  await send('POST', '/connect/session/unlock', { Password: PASSWORD })
  await send('POST', '/connect/session', { Password: WRONG, ...person })
  await send('POST', '/connect/session', { Password: PASSWORD, ...person })
  await send('POST', '/connect/session', { Password: { canary: PASSWORD }, ...person })
  await send('GET', '/api/v1/tenant/x/who')
  await send('DELETE', '/connect/session')
  world = await world.restart()
  expect(cookies.size).toBe(3)
  const written = Buffer.concat([await world.written(), Buffer.from(answers.join('\n'))])
  await world.close()
  // What is looked through is what was written: the entries, the hashes of the cookies and the lines of the log are there.
  const cookie = [...cookies].at(-1)
  for (const known of [
    'session.unlocked',
    createHash('sha256')
      .update(cookie as string)
      .digest('hex'),
    '/connect/session/unlock',
  ])
    expect(written.includes(known)).toBe(true)
  for (const secret of [PASSWORD, WRONG, 'tiny canary', token, ...cookies])
    for (const form of forms(secret))
      expect([secret, form.toString(), written.includes(form)]).toEqual([secret, form.toString(), false])
})
