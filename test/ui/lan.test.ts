/** The network as an administrator sets it up, another computer as it is paired, and the pages as it then has them over TLS. */
// @module-tag screen
// @module-tag merge
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findingsInThemes } from './support/axe.ts'
import { looking, soon } from './support/cases.ts'
import { anotherHost, keyOf, LAN, type LanStation, lanStation, NAME } from './support/lan.ts'
import { look, type LookOptions, signInByForm } from './support/window.ts'

let station: LanStation
/** Of another host that was paired, and of one that was not. */
let paired: Browser
let stranger: Browser
const NETWORK = '/administration/network'

beforeAll(async () => {
  station = await lanStation()
  stranger = await anotherHost()
}, 120_000)
afterAll(async () => {
  await paired?.close()
  await stranger?.close()
  await station?.given.close()
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const wordsOn = (page: Page, name: string): Promise<string[]> =>
  page
    .getByRole('list', { name, exact: true })
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => item.lastChild?.textContent ?? ''))
const random = (): string => Math.random().toString(36).slice(2, 10)
const settings = (options: LookOptions = {}) => looking(station.given, station.sergeant, NETWORK, options)

/** What a host on the network is shown. */
async function servedKey(): Promise<string> {
  const { Port } = await station.status()
  return new Promise((resolve, reject) => {
    // Only to read what is served; nothing is sent.
    const socket = connect({ host: '127.0.0.1', port: Port, servername: NAME, rejectUnauthorized: false }, () => {
      resolve(keyOf(socket.getPeerCertificate().raw))
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

/** On, with its name; as a test that runs again finds it too. */
async function onTheNetwork(): Promise<string> {
  const { Enabled, Names } = await station.status()
  if (Enabled !== true || !Names.includes(NAME)) await station.change({ Enabled: true, Names: [NAME], NewCa: true })
  return station.origin()
}

async function fromAnotherHost(at: string, options: LookOptions = {}) {
  const origin = await onTheNetwork()
  await paired?.close()
  paired = await anotherHost([await servedKey()])
  const found = await look(origin, { ...options, within: paired })
  await found.page.goto(`${origin}${at}`)
  return { ...found, origin }
}

describe('who may not', () => {
  it('finds no way in, and by the address whom to ask', async () => {
    const { page, problems } = await looking(station.given, station.okafor, NETWORK)
    await page.getByText('You cannot open this page').waitFor()
    expect(problems).toEqual([])
  })
})

describe('the page Network', () => {
  it('says what it is to be on the network, and puts the station there, by keyboard', async () => {
    await station.change({ Enabled: false })
    const { page, problems } = await settings()
    await page.getByText('Off', { exact: true }).waitFor()
    await button(page, 'Put it on the network').focus()
    await page.keyboard.press('Enter')
    await page
      .getByRole('dialog')
      .getByText(/^Allowed networks: /)
      .waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await inDialog(page, 'Put it on the network').focus()
    await page.keyboard.press('Enter')
    await page.getByText('On the network', { exact: true }).waitFor()
    const { Ca, Certificate, Origins } = await station.status()
    expect(await wordsOn(page, 'Words of the fingerprint')).toEqual(Ca.Words)
    for (const { Sha256Fingerprint } of [Ca, Certificate])
      await page.getByText(Sha256Fingerprint.match(/.{4}/g).join(' ')).waitFor()
    await page.getByText(Origins[0], { exact: true }).first().waitFor()
    await page.getByText('Nobody is connected').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('takes a further name, and lets go of it', async () => {
    await onTheNetwork()
    const name = `desk-${random()}.${NAME}`
    const { page, problems } = await settings()
    await button(page, 'Add a name').click()
    const field = page.getByRole('textbox', { name: 'Name' })
    await field.fill('https://desk/')
    await inDialog(page, 'Add the name').click()
    await page.getByText('Write a name of letters, digits and dashes').waitFor()
    await field.fill(name)
    await inDialog(page, 'Add the name').click()
    await button(page, `Remove the name ${name}`).waitFor()
    expect((await station.status()).Certificate.Names).toContain(name)
    await button(page, `Remove the name ${name}`).click()
    await inDialog(page, 'Remove the name').click()
    await button(page, `Remove the name ${name}`).waitFor({ state: 'detached' })
    expect((await station.status()).Names).not.toContain(name)
    expect(problems).toEqual([])
  })

  it('asks once more before a name that takes a new CA, with which every computer pairs again', async () => {
    await onTheNetwork()
    const name = `${random()}.elsewhere.example`
    const before = (await station.status()).Ca.Sha256Fingerprint
    const { page, problems } = await settings()
    await button(page, 'Add a name').click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await inDialog(page, 'Add the name').click()
    await page.getByText('The CA cannot certify this name').waitFor()
    expect((await station.status()).Ca.Sha256Fingerprint).toBe(before)
    await inDialog(page, 'Continue anyway').click()
    await button(page, `Remove the name ${name}`).waitFor()
    const { Ca } = await station.status()
    expect(Ca.Sha256Fingerprint).not.toBe(before)
    expect(await wordsOn(page, 'Words of the fingerprint')).toEqual(Ca.Words)
    await page.getByText(`The old fingerprint began with ${before.slice(0, 8)}.`).waitFor()
    expect(problems).toEqual([])
  })

  it('lists who may come, says how many that are, and marks the Internet', async () => {
    await onTheNetwork()
    await station.change({ AllowList: [] })
    const { page, problems } = await settings()
    const networks = section(page, 'Allowed networks')
    await networks.getByText('Every private network is allowed').waitFor()
    const add = async (network: string): Promise<void> => {
      await button(page, 'Add a network').click()
      await page.getByRole('textbox', { name: 'Network, or one address' }).fill(network)
    }
    await add('10.20.0.0/33')
    await inDialog(page, 'Add the network').click()
    await page.getByText('Write a network as').waitFor()
    await page.getByRole('textbox', { name: 'Network, or one address' }).fill('203.0.113.0/24')
    await page.getByText('There are addresses of the Internet in it').waitFor()
    await page.getByRole('textbox', { name: 'Network, or one address' }).fill('10.20.0.0/16')
    await page.getByText('10.20.0.0 to 10.20.255.255 · 65,536 addresses').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await inDialog(page, 'Add the network').click()
    await button(page, 'Remove the network 10.20.0.0/16').waitFor()
    expect((await station.status()).AllowList).toEqual(['10.20.0.0/16'])
    await add('10.20.9.9/16')
    await inDialog(page, 'Add the network').click()
    await page.getByText('This network is on the list already.').waitFor()
    await inDialog(page, 'Cancel').click()
    await button(page, 'Remove the network 10.20.0.0/16').click()
    await page.getByText('without it every private network is allowed again').waitFor()
    await inDialog(page, 'Remove the network').click()
    await networks.getByText('Every private network is allowed').waitFor()
    expect((await station.status()).AllowList).toEqual([])
    expect(problems).toEqual([])
  })

  it('asks once more before one locks oneself out', async () => {
    await onTheNetwork()
    const { page, problems } = await settings()
    const sent: unknown[] = []
    // Whoever comes from loopback may always come: the refusal is given as the station gives it to others (test/api/lan).
    await page.route(`**${LAN}`, async (route) => {
      const body: unknown = route.request().postDataJSON()
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.push(body)
      if (sent.length > 1) return route.continue()
      const Message = '10.9.8.7, from where you ask, is in none of the networks that may come then.'
      return route.fulfill({ status: 409, json: { ErrorCode: 'LanWouldLockYouOut', Message, Details: [] } })
    })
    await button(page, 'Add a network').click()
    await page.getByRole('textbox', { name: 'Network, or one address' }).fill('10.30.0.0/16')
    await inDialog(page, 'Add the network').click()
    await page.getByText('You would lock yourself out').waitFor()
    await inDialog(page, 'Continue anyway').click()
    await button(page, 'Remove the network 10.30.0.0/16').waitFor()
    expect(sent).toEqual([{ AllowList: ['10.30.0.0/16'] }, { AllowList: ['10.30.0.0/16'], LockMeOut: true }])
    await station.change({ AllowList: [] })
    expect(problems).toEqual([])
  })

  it('renews the certificate, and makes a new CA only for somebody who was told what stops', async () => {
    await onTheNetwork()
    const before = await station.status()
    const { page, problems } = await settings()
    await button(page, 'Renew now').click()
    await soon(async () => (await station.status()).Certificate.SerialNumber).not.toBe(before.Certificate.SerialNumber)
    const renewed = await station.status()
    expect(renewed.Ca).toEqual(before.Ca)
    await page.getByText(renewed.Certificate.SerialNumber, { exact: true }).waitFor()

    await button(page, 'Create a new CA').click()
    await page.getByRole('dialog').getByText('What stops').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await inDialog(page, 'Create a new CA').click()
    await page.getByText('Tick the box first.').waitFor()
    expect((await station.status()).Ca).toEqual(before.Ca)
    await page.getByRole('dialog').getByRole('checkbox').check({ force: true })
    await inDialog(page, 'Create a new CA').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const { Ca } = await station.status()
    expect(Ca.Sha256Fingerprint).not.toBe(before.Ca.Sha256Fingerprint)
    expect(await wordsOn(page, 'Words of the fingerprint')).toEqual(Ca.Words)
    expect(problems).toEqual([])
  })

  it.each([
    ['dark', 'small', 'en'],
    ['contrast', 'wide', 'en'],
    ['light', 'small', 'fr'],
  ] as const)('is whole in %s, %s, %s', async (theme, size, language) => {
    await onTheNetwork()
    const { page, problems } = await settings({ theme, size, language })
    await page.getByRole('heading', { name: language === 'fr' ? 'Réseaux autorisés' : 'Allowed networks' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })
})

describe('pairing', () => {
  it('the station’s screen has the address to type, its picture, the words and the whole fingerprint', async () => {
    await onTheNetwork()
    const { page, problems } = await settings()
    await page.getByRole('link', { name: 'Pair another computer' }).click()
    await page.getByRole('heading', { name: 'Pair another computer', level: 1 }).waitFor()
    const { Ca, Origins } = await station.status()
    expect(await wordsOn(page, 'Words of the fingerprint')).toEqual(Ca.Words)
    await page.getByText(`${Origins[0]}/pair`, { exact: true }).waitFor()
    await page.getByRole('img', { name: `Picture of the address ${Origins[0]}/pair` }).waitFor()
    await page.getByText(Ca.Sha256Fingerprint.match(/.{4}/g).join(' ')).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    expect(await page.getByText(`${Origins[0]}/pair`, { exact: true }).isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  it('a computer that was not paired is warned by its browser, as the page says', async () => {
    const origin = await onTheNetwork()
    const { page } = await look(origin, { within: stranger })
    await expect(page.goto(`${origin}/pair`)).rejects.toThrow(/ERR_CERT_AUTHORITY_INVALID/)
  })

  it('the other computer shows the same words before anybody signs in, and gives the CA that they are of', async () => {
    const { page, problems } = await fromAnotherHost('/pair')
    await page.getByRole('heading', { name: 'Pair this computer with Harrow Quay' }).waitFor()
    const { Ca } = await station.status()
    expect(await wordsOn(page, 'Compare the words')).toEqual(Ca.Words)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the CA' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('sallyport-ca.crt')
    const bytes = readFileSync(await download.path())
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(Ca.Sha256Fingerprint)
    expect(Buffer.from(await station.ca())).toEqual(bytes)
    // The computer is one with Linux and Chromium: these stand first, and open.
    const systems = page.locator('details')
    await soon(() => systems.evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open))).toEqual([
      true,
      true,
      ...Array<boolean>(5).fill(false),
    ])
    await systems.nth(0).getByText('sha256sum ~/Downloads/sallyport-ca.crt').waitFor()
    expect(await systems.nth(0).getByText('this computer').isVisible()).toBe(true)
    await systems.nth(2).locator('summary').click()
    await systems.nth(2).getByText('certutil -hashfile sallyport-ca.crt SHA256').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('in French too, on a small screen, and at the station itself says that this is it', async () => {
    const { page, problems } = await fromAnotherHost('/pair', { language: 'fr', size: 'small' })
    await page.getByRole('heading', { name: 'Appairer cet ordinateur avec Harrow Quay' }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
    const here = await look(station.given.url)
    await here.page.goto(`${station.given.url}/pair`)
    await here.page.getByText('This is the station itself').waitFor()
    expect(here.problems).toEqual([])
  })

  it('while the station is off its network both pages say so', async () => {
    await station.change({ Enabled: false })
    const { page } = await looking(station.given, station.sergeant, `${NETWORK}/pair`)
    await page.getByText('The station is not on its network yet').waitFor()
    const here = await look(station.given.url)
    await here.page.goto(`${station.given.url}/pair`)
    await here.page.getByText('This station is not on its network').waitFor()
  })
})

describe('over the network', () => {
  it('works as at the station, says where one is, and what is only there', { tags: ['journey'] }, async () => {
    const { page, origin, problems } = await fromAnotherHost('/evidence')
    await signInByForm(page, origin, '/evidence', station.sergeant)
    await button(page, 'Over the network').click()
    await page.getByText('You are not at the station itself').waitFor()
    await page.getByRole('dialog').getByText(origin, { exact: true }).waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    await page.keyboard.press('Escape')

    const name = `${random()}.txt`
    await page.evaluate(() => Object.assign(window, { showOpenFilePicker: undefined }))
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /Add/ }).first().click()
    const buffer = Buffer.from('carried over the network')
    await (await chooser).setFiles([{ name, mimeType: 'text/plain', buffer }])
    await page.getByRole('grid').getByText(name).waitFor()

    await page.goto(`${origin}${NETWORK}`)
    const row = section(page, 'Connected now').getByRole('row').filter({ hasText: 'this browser' })
    await row.getByText('sergeant').waitFor()
    await row.getByText(`as ${NAME}`).waitFor()
    await section(page, 'Allowed networks').waitFor()
    expect(await findingsInThemes(page)).toEqual([])
    expect(problems).toEqual([])
  })

  it('is ended for one computer by an administrator, and comes again by itself', async () => {
    const { page: there, origin } = await fromAnotherHost('/evidence')
    await signInByForm(there, origin, '/evidence', station.okafor)
    const { page, problems } = await settings()
    const row = section(page, 'Connected now').getByRole('row').filter({ hasText: '127.0.0.1' })
    await row.getByText('okafor').waitFor()
    const seq = station.given.ledger().at(-1)?.seq ?? 0
    await row.getByRole('button', { name: 'Disconnect 127.0.0.1' }).click()
    await page.getByRole('dialog').getByText('It can connect again at once.').waitFor()
    await inDialog(page, 'Disconnect').click()
    await page.getByText('127.0.0.1 is disconnected.').waitFor()
    expect(station.given.ledger(seq).map(({ action }) => action)).toContain('lan.disconnected')
    await there.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: 'Cases' }).click()
    await there.getByRole('heading', { name: 'Cases' }).first().waitFor()
    expect(problems).toEqual([])
  })

  it('at the station itself nothing is said about it', async () => {
    const { page } = await looking(station.given, station.sergeant, '/evidence')
    await page.getByRole('navigation', { name: 'Areas' }).waitFor()
    expect(await button(page, 'Over the network').count()).toBe(0)
  })
})
