/** Runs sandboxed before each page and gives it the calls of the bridge, but nothing else of Electron. Built into one CommonJS file. */
import { contextBridge, ipcRenderer } from 'electron'
import { type Call, CALLS, channelOf, type DesktopBridge, type Outcome } from '../../shared/desktop/bridge.ts'

const ask =
  (call: Call) =>
  async (argument?: unknown): Promise<unknown> => {
    const outcome = (await ipcRenderer.invoke(channelOf(call), argument)) as Outcome
    if (!outcome.ok) throw new Error(outcome.message)
    return outcome.value
  }

// The types are checked by the handlers (main/ipc/answers.ts). Here every call is one message.
const bridge = Object.fromEntries(CALLS.map((call) => [call, ask(call)])) as unknown as DesktopBridge

contextBridge.exposeInMainWorld('sallyport', bridge)
