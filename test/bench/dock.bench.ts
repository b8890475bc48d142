/**
 * The dock under load (promises L1 to L3) and what an officer waits for.
 *   npm run bench -- dock [L1 L2 L3 cables officer] [--cameras 26,64] [--mib 96] [--files 8] [--films] [--window 300] [--shift 60]
 *                         [--lanes 26] [--readers 26] [--card-rate B] [--officer-mib 512] [--quiet 15] [--where DIR]
 * L1: so many cameras of --mib each are put in at once. Aims: all in the store, read back and in the ledger; the first done within 15 % of
 *   the last; memory < 600 MB; event loop p99 < 50 ms; at least half as fast as `cp` + `sync` + `sha256sum` of the same bytes in this run.
 * L2: the same with the first number of cameras, while 50 requests a second are made and four films play. Aims: p99 < 300 ms, no errors.
 * L3: --shift cameras in --window seconds on --lanes lanes; three pulled early and put back, two full, one bad. Aims: nothing lost, time
 *   left wrong by < 30 %. Its cards are read no faster than --card-rate, so that they queue as they would at a cable. --readers is how
 *   many cards the station reads at the same time (evidence/store: 32 at most); the bytes of a card are reckoned from it. Root, Linux.
 *   Time is what is measured, and it does not depend on how many bytes a second a cable carries: at the rate of a real one there would be
 *   47 GB to make, copy and verify, which takes this disk longer than the shift. Its cards give a tenth.
 * cables: 8 cards on lines of their own, --mib each at --card-rate. Aim: what the cables carry together. Root, Linux.
 * officer: one camera at the speed of USB 2.0 and of fewer bytes than the 20 GB for which it is reckoned. Root, Linux.
 * What is on the cards is noise, so that the dock is measured alone; with --films it is real films, which the station makes playable
 * meanwhile. Needs three times the bytes of all cameras on the disk of --where. Prints one line of JSON a measurement.
 */
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { throttleMissing } from './dock/cards.ts'
import { allAtOnce, besideReviewers } from './dock/runs.ts'
import { cables, officerWaits, shiftChange } from './dock/slow-runs.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cameras: { type: 'string', default: '26,64' },
    mib: { type: 'string', default: '96' },
    files: { type: 'string', default: '8' },
    films: { type: 'boolean', default: false },
    window: { type: 'string', default: '300' },
    shift: { type: 'string', default: '60' },
    lanes: { type: 'string', default: '26' },
    readers: { type: 'string', default: '26' },
    'card-rate': { type: 'string' },
    'officer-mib': { type: 'string', default: '512' },
    quiet: { type: 'string', default: '15' },
    where: { type: 'string', default: tmpdir() },
  },
})
const wanted = positionals.length === 0 ? ['L1', 'L2', 'L3', 'cables', 'officer'] : positionals
const numbers = values.cameras.split(',').map(Number)
const sizeOf = (cameras: number) => ({
  cameras,
  mib: Number(values.mib),
  files: Number(values.files),
  films: values.films,
  where: values.where,
})
const print = (line: Record<string, unknown>): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const slowMissing = await throttleMissing()
for (const what of wanted) {
  if (what === 'L1') {
    for (const cameras of numbers) {
      const aims = { firstOfLast: 0.85, rssMiB: 572, loopP99Ms: 50, ofPlain: 0.5 }
      print({ what, ...sizeOf(cameras), ...(await allAtOnce(sizeOf(cameras))), aims })
    }
  } else if (what === 'L2') {
    const size = sizeOf(numbers[0] ?? 26)
    print({ what, ...size, ...(await besideReviewers(size, Number(values.quiet))), aims: { p99: 300, errors: 0 } })
  } else if (!['L3', 'cables', 'officer'].includes(what)) {
    throw new Error(`There is no measurement "${what}": L1, L2, L3, cables, officer.`)
  } else if (slowMissing !== null) {
    print({ what, skipped: slowMissing })
  } else if (what === 'L3') {
    const shift = {
      cameras: Number(values.shift),
      lanes: Number(values.lanes),
      readers: Number(values.readers),
      window: Number(values.window),
      bytesPerSecond: Number(values['card-rate'] ?? 500_000),
      where: values.where,
    }
    print({ what, ...shift, ...(await shiftChange(shift)), aims: { timeLeftWrongBy: 0.3 } })
  } else if (what === 'cables') {
    const cards = { count: 8, mib: Number(values.mib), bytesPerSecond: Number(values['card-rate'] ?? 5_000_000) }
    print({ what, ...cards, ...(await cables(cards, values.where)), aims: { ofCables: 1 } })
  } else print({ what, ...(await officerWaits(Number(values['officer-mib']), values.where)) })
}
