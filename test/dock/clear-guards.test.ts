/**
 * Each guard that stands between a file and its removal from the camera (promise I6). A trigger in the station's own database takes one fact
 * away at the moment in which a camera is committed, after everything was verified: clearing alone can notice.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { patience } from '../support/scale.ts'
import { dockWorld } from './world.ts'

let world: Awaited<ReturnType<typeof dockWorld>>
beforeAll(async () => {
  world = await dockWorld({ dockClear: 'at-once' })
}, patience(60_000))
afterAll(() => world.close())

const FILES = 'UPDATE dock_files SET'
const OF = "WHERE session_id = NEW.session_id AND outcome = 'taken'"
const RESOURCES = 'UPDATE resources SET'
const THEIRS = `WHERE resource_id IN (SELECT resource_id FROM dock_files ${OF})`

/** What is taken away, in SQL; and what the receipt then says of each file. */
const GUARDS: readonly (readonly [name: string, sabotage: string, reason: RegExp])[] = [
  ['its profile does not let it be removed', `${FILES} may_be_cleared = 0 ${OF}`, /profile/],
  ['its entry is none of a completed file', `${FILES} ledger_seq = 1 ${OF}`, /ledger has no entry/],
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
    "INSERT INTO dock_files (session_id, path_key, path, location, length, modified_ns, may_be_cleared, round, outcome, reason) VALUES (NEW.session_id, 'folder', 'folder', x'', 0, '', 0, 1, 'failed', 'unreadable')",
    /could not look at everything/,
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
    await world.given.meddle((db) =>
      db.exec(
        `CREATE TRIGGER sabotage AFTER UPDATE OF state ON dock_sessions WHEN NEW.state = 'committed' AND NEW.bay = '${bay}' BEGIN ${sabotage}; END`,
      ),
    )
    const camera = world.camera(bay, { serial: bay, recordings: [2] })
    camera.plugIn()
    const session = await world.reached(bay, 'released')
    await world.given.meddle((db) => db.exec('DROP TRIGGER sabotage'))
    expect(session.Cleared).toBe(0)
    expect(camera.left()).toHaveLength(2)
    const recorded = (await world.filesOf(session.DockSessionId)).filter(({ Outcome }) => Outcome === 'taken')
    expect(recorded).toHaveLength(2)
    for (const file of recorded)
      expect([file.Cleared, file.KeptBecause]).toEqual(['kept', expect.stringMatching(reason)])
  })
})
