/** Bare Koa that answers one constant JSON: what (a) of the benchmark is measured against. Prints its port. */
import type { AddressInfo } from 'node:net'
import Koa from 'koa'

const app = new Koa()
const answer = { CaseId: '1', Title: 'Burglary', State: 'Open' }
app.use((context) => {
  context.body = answer
})
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`)
})
