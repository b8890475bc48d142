/** Firefox without a window, spoken to by WebDriver BiDi: enough to open pages, ask about them and see what they fetch. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

export interface FirefoxPage {
  /** Addresses that were asked for, and errors of the page, since it was opened. */
  readonly asked: readonly string[]
  goto(address: string): Promise<void>
  /** @param work a function as text, which may return a promise of something that JSON has */
  evaluate(work: string): Promise<unknown>
  /** A picture of what is in sight, as PNG. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

const PATIENCE_MS = 60_000

/** @param size of what is in sight */
export async function openFirefox(size: { readonly width: number; readonly height: number }): Promise<FirefoxPage> {
  const profile = mkdtempSync(path.join(tmpdir(), 'sallyport-firefox-'))
  // It asks servers of its own about updates and sign-ins otherwise: those are no requests of the page.
  writeFileSync(path.join(profile, 'user.js'), 'user_pref("media.autoplay.default", 0);\n')
  const child = spawn(
    'firefox-esr',
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    {
      env: {
        ...process.env,
        HOME: profile,
        MOZ_HEADLESS_WIDTH: String(size.width),
        MOZ_HEADLESS_HEIGHT: String(size.height),
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  const end = async (): Promise<void> => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null)
      await new Promise((resolve) => child.once('close', resolve))
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    return await connected(await addressOf(child), size, end)
  } catch (error) {
    await end()
    throw error
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('Firefox did not start')), PATIENCE_MS)
    child.once('error', reject)
    child.once('close', (code) => reject(new Error(`Firefox ended with ${code}`)))
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve(`${address}/session`)
    })
  })
}

interface Answer {
  readonly id?: number
  readonly type: string
  readonly method?: string
  readonly result?: Record<string, unknown>
  readonly message?: string
  readonly params?: { readonly request?: { readonly url: string }; readonly text?: string }
}

async function connected(address: string, size: object, end: () => Promise<void>): Promise<FirefoxPage> {
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', () => reject(new Error(`Firefox does not answer at ${address}`)), { once: true })
  })
  const asked: string[] = []
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    if (answer.id !== undefined) return void waiting.get(answer.id)?.(answer)
    if (answer.method === 'network.beforeRequestSent') asked.push(answer.params?.request?.url ?? '')
    if (answer.method === 'log.entryAdded') asked.push(`console: ${answer.params?.text ?? ''}`)
  })
  let last = 0
  const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = ++last
    const answer = await new Promise<Answer>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Firefox did not answer ${method}`)), PATIENCE_MS)
      waiting.set(id, (one) => {
        clearTimeout(timer)
        resolve(one)
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
    if (answer.type !== 'success') throw new Error(`Firefox refused ${method}: ${answer.message ?? ''}`)
    return answer.result ?? {}
  }
  await send('session.new', { capabilities: {} })
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]?.context
  await send('session.subscribe', { events: ['network.beforeRequestSent', 'log.entryAdded'], contexts: [context] })
  await send('browsingContext.setViewport', { context, viewport: size })
  return {
    asked,
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    evaluate: async (work) => {
      const expression = `Promise.resolve((${work})()).then(JSON.stringify)`
      const target = { context }
      const { result, exceptionDetails } = (await send('script.evaluate', {
        expression,
        target,
        awaitPromise: true,
        userActivation: true,
      })) as { result?: { value?: string }; exceptionDetails?: { text: string } }
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null')
    },
    screenshot: async () => {
      const { data } = await send('browsingContext.captureScreenshot', { context })
      return Buffer.from(String(data), 'base64')
    },
    close: async () => {
      socket.close()
      await end()
    },
  }
}
