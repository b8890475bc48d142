/**
 * Each guard that stands between a file and its removal from the camera (promise I6). A trigger in the station's own database takes one fact
 * away at the moment in which a camera is committed, after everything was verified: clearing alone can notice.
 */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { patience } from '../support/scale.ts'
import { dockWorld } from './world.ts'
import { bytesOfText, createTrigger, dropTrigger, dropTriggers, textOfBytes } from '../support/rows.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
beforeAll(async () => {
  world = await dockWorld({ dockClear: 'at-once' })
}, patience(60_000))
afterAll(() => world.close())

const FILES = 'UPDATE dock_files SET'
const OF = "WHERE session_id = NEW.session_id AND outcome = 'taken'"
const RESOURCES = 'UPDATE resources SET'
const THEIRS = `WHERE resource_id IN (SELECT resource_id FROM dock_files ${OF})`

/** Another file of the station with all that belongs to it: everything that the station has says that this one may go. */
const ANOTHER =
  "SELECT min(r.resource_id) FROM resources r WHERE r.state = 'UserCompleted' AND r.sha256 <> dock_files.sha256"
const SWAPPED = `resource_id = (${ANOTHER}),
  sha256 = (SELECT r.sha256 FROM resources r WHERE r.resource_id = (${ANOTHER})),
  ledger_seq = (SELECT max(o.ledger_seq) FROM dock_files o WHERE o.resource_id = (${ANOTHER}) AND o.outcome = 'taken')`

const TOO_DEEP = 'a folder on its camera cannot be looked at now, and could when it was listed'
const NEVER = 'the rule is that no camera is cleared, and that is the reason told, whatever lies on its card'
/** On their cameras lies a folder that is too deep to be looked at. */
const WITH_DEEP_FOLDER: readonly string[] = [TOO_DEEP, NEVER]

/** What is taken away, in SQL; and what the receipt then says of each file. */
const GUARDS: readonly (readonly [name: string, sabotage: string, reason: RegExp])[] = [
  ['its profile does not let it be removed', `${FILES} may_be_cleared = 0 ${OF}`, /profile/],
  // Of these the file on the card has the name, length and time of the one that the station has, and other bytes.
  ...['round = round + 1', 'resumed_from = 1', "known_by = 'name'"].map(
    (earlier) =>
      [
        `it was not read in one go (${earlier}), and another file is in its place`,
        `${FILES} ${earlier}, ${SWAPPED} ${OF}`,
        /not the one that was taken/,
      ] as const,
  ),
  ['its entry is not there', `${FILES} ledger_seq = 1000000 ${OF}`, /ledger has no entry/],
  ['its entry is none of a completed file', `${FILES} ledger_seq = 1 ${OF}`, /ledger has no entry/],
  [
    'its entry says something else of its very bytes',
    `UPDATE ledger SET body = ${bytesOfText(`replace(${textOfBytes('body')}, 'resource.completed', 'resource.verified')`)} WHERE seq IN (SELECT ledger_seq FROM dock_files ${OF})`,
    /ledger has no entry/,
  ],
  [
    'its entry is that of other bytes',
    `${FILES} ledger_seq = (SELECT min(o.ledger_seq) FROM dock_files o WHERE o.outcome = 'taken' AND o.ledger_seq > 1 AND o.sha256 <> dock_files.sha256) ${OF}`,
    /ledger has no entry/,
  ],
  [
    'it has no second copy where one is made',
    "UPDATE dock_sessions SET second_copy = '/copies' WHERE session_id = NEW.session_id",
    /no second copy/,
  ],
  ['its resource is not complete', `${RESOURCES} state = 'Failed' ${THEIRS}`, /no complete file/],
  ['its resource has no bytes', `${RESOURCES} state = 'Failed', sha256 = NULL ${THEIRS}`, /no complete file/],
  [
    'its resource has other bytes',
    `${RESOURCES} sha256 = (SELECT b.sha256 FROM blobs b WHERE b.sha256 <> resources.sha256 LIMIT 1) ${THEIRS}`,
    /no complete file/,
  ],
  ['its docking says that it differs', `${FILES} differs_from = '${'a'.repeat(64)}' ${OF}`, /differs from the camera/],
  [
    'its resource says that it differs',
    `${RESOURCES} camera_sha256 = '${'a'.repeat(64)}' ${THEIRS}`,
    /differs from the camera/,
  ],
  [
    'something on its camera was not looked at',
    `INSERT INTO dock_files (session_id, path_key, path, location, length, modified_ns, may_be_cleared, round, outcome, reason) VALUES (NEW.session_id, 'folder', 'folder', ${bytesOfText("''")}, 0, '', 0, 1, 'failed', 'unreadable')`,
    /could not look at everything/,
  ],
  // As in a station that was started again since, and finds on the card what was not there when it was listed.
  [
    TOO_DEEP,
    "DELETE FROM dock_files WHERE session_id = NEW.session_id AND modified_ns = ''",
    /could not look at everything/,
  ],
  [NEVER, "UPDATE dock_sessions SET clear_rule = 'never' WHERE session_id = NEW.session_id", /setting of this station/],
  [
    'the rule cannot be read',
    "UPDATE dock_sessions SET clear_rule = 'soon' WHERE session_id = NEW.session_id",
    /setting of this station/,
  ],
  ['it is not on the camera any more', `${FILES} path_key = path_key || 'x' ${OF}`, /could not be found/],
  ['it was changed since on the camera', `${FILES} modified_ns = '1' ${OF}`, /not the one that was taken/],
  ['it has another length on the camera', `${FILES} length = length + 1 ${OF}`, /not the one that was taken/],
]

describe('I6: a file stays on the camera when', () => {
  it('I6: nothing is amiss, it goes', { timeout: patience(60_000) }, async () => {
    const camera = world.camera('well', { serial: 'G0', recordings: [2] })
    camera.plugIn()
    expect(await world.reached('well', 'released')).toMatchObject({ Cleared: 2 })
    expect(camera.left()).toEqual([])
  })

  it.each(GUARDS)('I6: %s', { timeout: patience(60_000) }, async (name, sabotage, reason) => {
    const bay = `bay ${GUARDS.findIndex(([one]) => one === name)}`
    await world.given.meddle((db) => {
      // Without the ledger's own guards clearing alone can notice.
      dropTriggers(db, 'ledger')
      const when = `NEW.state = 'committed' AND NEW.bay = '${bay}'`
      createTrigger(db, { name: 'sabotage', table: 'dock_sessions', column: 'state', when, does: sabotage })
    })
    const isDeep = WITH_DEEP_FOLDER.includes(name)
    const extra = isDeep ? { [`${'deep/'.repeat(20)}R9.mp4`]: 'a recording that nobody sees' } : {}
    const camera = world.camera(bay, { serial: bay, recordings: [2], extra })
    camera.plugIn()
    const session = await world.reached(bay, 'released')
    await world.given.meddle((db) => dropTrigger(db, 'sabotage', 'dock_sessions'))
    expect(session.Cleared).toBe(0)
    expect(camera.left()).toHaveLength(2)
    const recorded = (await world.filesOf(session.DockSessionId)).filter(({ Outcome }) => Outcome === 'taken')
    expect(recorded).toHaveLength(2)
    for (const file of recorded)
      expect([file.Cleared, file.KeptBecause]).toEqual(['kept', expect.stringMatching(reason)])
  })
})

/** A disk that is in memory can be read back through its cache only. */
const IN_MEMORY = '/dev/shm'

describe.skipIf(!existsSync(IN_MEMORY))('I6: a station on a disk that is read back through its cache only', () => {
  let other: Awaited<ReturnType<typeof dockWorld>>
  beforeAll(async () => {
    vi.stubEnv('TMPDIR', IN_MEMORY)
    other = await dockWorld({ dockClear: 'at-once' })
  }, patience(60_000))
  afterAll(async () => {
    await other?.close()
    vi.unstubAllEnvs()
  })

  it('I6: clears nothing: it is not shown that the disk has the bytes', { timeout: patience(60_000) }, async () => {
    const camera = other.camera('bay', { serial: 'M1', recordings: [2] })
    camera.plugIn()
    const session = await other.reached('bay', 'released')
    expect(session).toMatchObject({ FilesDone: 2, Cleared: 0 })
    expect(camera.left()).toHaveLength(2)
    const recorded = (await other.filesOf(session.DockSessionId)).filter(({ Outcome }) => Outcome === 'taken')
    expect(recorded.map(({ KeptBecause }) => KeptBecause)).toEqual([1, 2].map(() => expect.stringMatching(/its cache/)))
  })
})
