/** A browser profile that one test gives back holds nothing of it for the next one. */
// @module-tag screen
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { look } from './support/window.ts'

let server: Server
let origin = ''
beforeAll(async () => {
  server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<title>answered</title>')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server?.close())

/** What a page of the origin finds in its browser. */
const found = (page: Page) =>
  page.evaluate(async () => ({
    cookie: document.cookie,
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
    online: navigator.onLine,
    title: document.title,
  }))

it('is used again without cookies, storage, permissions, routes and pages of the test before', {
  tags: ['journey'],
}, async () => {
  const first = await look(origin)
  await first.page.goto(origin)
  const empty = await found(first.page)
  expect(empty).toMatchObject({ cookie: '', local: {}, session: {}, databases: [], online: true, title: 'answered' })
  await first.page.evaluate(async () => {
    document.cookie = 'who=sergeant'
    localStorage.setItem('theme', 'dark')
    sessionStorage.setItem('draft', 'half a sentence')
    await new Promise((done) => Object.assign(indexedDB.open('drafts'), { onsuccess: done }))
  })
  await first.context.grantPermissions(['clipboard-read'])
  expect(await found(first.page)).not.toEqual(empty)
  await first.context.newPage()
  await first.context.route('**', (route) => route.abort())
  await first.context.setOffline(true)
  await first.close()

  const second = await look(origin)
  expect(second.context).toBe(first.context)
  expect(second.context.pages()).not.toContain(first.page)
  // Its own page, and the one that keeps the process.
  expect(second.context.pages()).toHaveLength(2)
  await second.page.goto(origin)
  expect(await found(second.page)).toEqual(empty)
})

it('is never shared by two who look at once, nor by those who look in another way', async () => {
  const one = await look(origin)
  const other = await look(origin)
  const dark = await look(origin, { theme: 'dark' })
  const alone = await look(origin, { alone: true })
  expect(new Set([one, other, dark, alone].map(({ context }) => context)).size).toBe(4)
})
