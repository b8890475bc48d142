/** Writes one ZIP file, away from the event loop: a checksum of every byte would take a core from everybody else of the station. */
import { parentPort, workerData } from 'node:worker_threads'
import { lowerPriority } from '../../platform/threads/give-way.ts'
import { failureOf } from '../workers/failures.ts'
import { openZip } from './zip-file.ts'
import type { FromZip, ToZip, ZipSettings } from './zip-messages.ts'

if (parentPort === null) throw new Error('This file runs on a worker thread')
const port = parentPort
const say = (message: FromZip): void => port.postMessage(message)
lowerPriority()
const opened = openZip({ ...(workerData as ZipSettings), onBytes: (bytes) => say({ op: 'progress', bytes }) })
opened.catch(() => {})

async function done(message: ToZip): Promise<unknown> {
  const zip = await opened
  switch (message.op) {
    case 'file':
      return zip.file(message.source, message.to)
    case 'bytes':
      return zip.bytes(message.path, message.bytes)
    case 'layout':
      return zip.layout()
    case 'end':
      return zip.end()
    case 'close':
      return zip.close()
  }
}

port.on('message', (message: ToZip) => {
  done(message)
    .then(
      (answer) => say({ op: 'done', id: message.id, answer }),
      (error: unknown) => say({ op: 'failed', id: message.id, failure: failureOf(error, false) }),
    )
    .finally(() => {
      if (message.op === 'close') port.close()
    })
})
