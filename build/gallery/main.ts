/** `npm run gallery`: serves the page of the parts of the interface until it is interrupted. It is not part of what ships. */
import { servePartsPage } from './serve.ts'

const { url, close } = await servePartsPage()
process.stdout.write(
  `The parts of the interface: ${url}\n?lang=fr, ?theme=dark and ?density=compact choose others. Ctrl+C ends it.\n`,
)
process.once('SIGINT', () => void close().then(() => process.exit()))
