// @module-tag merge
import { afterAll, beforeAll, describe, test } from 'vitest'
import { scale } from '../../support/scale.ts'
import { removeStation, type Station, startStation } from './harness.ts'
import { followModel } from './model.ts'

describe('U2 any sequence of uploading, sending again, committing, cutting and completing', () => {
  let station: Station
  beforeAll(async () => {
    station = await startStation()
  })
  afterAll(() => removeStation(station))

  test('gives what the model gives, to the last byte', async () => {
    await followModel(
      {
        next: () => station,
        restart: async () => {
          await station.close()
          station = await startStation({ folder: station.folder })
        },
        left: (resource) => station.staging.files(resource),
      },
      scale(20, 200),
    )
  }, 600_000)
})
