/** The thread that reads large bodies (`http/body.ts`). It knows the whole contract, so it stands above the frame. */
import { parentPort } from 'node:worker_threads'
import { answerBodyThread, type ToBodyThread } from './http/body.ts'
import { contractRoutes } from './openapi.ts'

const port = parentPort
if (port === null) throw new Error('body.worker.ts runs only as a worker thread')

const routes = new Map(contractRoutes().map((route) => [route.id, route]))

port.on('message', (message: ToBodyThread) => port.postMessage(answerBodyThread(routes, message)))
