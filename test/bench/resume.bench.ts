/**
 * A file in parallel blocks, with the client killed in the middle and then the station (SIGKILL), each time taken up again with the
 * block list: how many blocks were sent twice (promise U2: at most those in flight).
 *   npm run bench -- resume [GiB = 5] [blockMiB = 8]
 */
import { send, type Sender, setStage, watchMemory } from './stage.ts'

const [gib = '5', blockMiB = '8'] = process.argv.slice(2)
const stage = await setStage(Number(gib))
const total = Math.ceil((Number(gib) * 2 ** 30) / (Number(blockMiB) * 2 ** 20))

const reached = async (sender: Sender, blocks: number): Promise<void> => {
  let ended = false
  sender.done.then(
    () => {
      ended = true
    },
    () => {
      ended = true
    },
  )
  while (sender.blocks() < blocks && !ended) await new Promise((resolve) => setTimeout(resolve, 20))
}
const held = (text: string): number => Number(/sent (\d+) of/.exec(text)?.[1] ?? Number.NaN)

try {
  const first = await stage.start()
  const evidence = (await first.integrator.createEvidence({ Name: 'bench' })).value
  const resource = (await first.integrator.createResource(evidence.EvidenceId, { Name: 'source.bin' })).value
  const growth = watchMemory(first.station.pid)

  const one = send(['resume', resource.UploadUri, stage.source, blockMiB])
  await reached(one, Math.floor(total * 0.3))
  one.kill()
  await one.done.catch(() => {})
  const acknowledgedFirst = one.blocks()

  const two = send(['resume', resource.UploadUri, stage.source, blockMiB])
  await reached(two, Math.floor(total * 0.3))
  const beforeKill = growth()
  await first.station.kill()
  two.kill()
  await two.done.catch(() => {})
  const acknowledgedSecond = two.blocks()

  const second = await stage.start()
  const grown = watchMemory(second.station.pid)
  const renewed = (await second.integrator.renewUploadUri(evidence.EvidenceId, resource.ResourceId)).value
  const third = held(await send(['resume', renewed.UploadUri, stage.source, blockMiB]).done)
  const done = (
    await second.integrator.completeResource(evidence.EvidenceId, resource.ResourceId, { Sha256: stage.sha256 })
  ).value
  process.stdout.write(
    `${JSON.stringify({
      gib: Number(gib),
      blocks: total,
      acknowledged: [acknowledgedFirst, acknowledgedSecond],
      sentByTheThird: third,
      // Below zero: blocks that were durable though their answer was lost with the connection.
      sentAgain: third - (total - acknowledgedFirst - acknowledgedSecond),
      sha256Right: done.Sha256 === stage.sha256,
      memoryGrowthMiB: [beforeKill, grown()],
    })}\n`,
  )
  await second.station.stop()
} finally {
  stage.dispose()
}
