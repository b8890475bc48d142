import { z } from 'zod'
import { CLOCK_SOURCES, type RecordedTime } from './recorded-time.ts'

/** The same object wherever a corrected time is given out (decisions 13). */
export const RecordedClock = z
  .object({
    CorrectedTimeUtc: z
      .string()
      .nullable()
      .meta({ description: 'The best that is known; the device’s own time where nobody compared its clock.' }),
    DeviceTimeUtc: z.string().nullable().meta({ description: 'As the device recorded it.' }),
    Offset: z
      .string()
      .nullable()
      .meta({ description: 'ISO 8601 duration: corrected = device + offset. Null: nobody compared the clocks.' }),
    Source: z.enum(CLOCK_SOURCES).meta({
      description:
        '`dock`: measured when the camera was docked. `device`: given with the file. `person`: typed. `container`: read from the file, not compared. `gps`: the GPS time in the file, which gives its own time without a zone or none. `none`: not compared.',
    }),
    UncertaintySeconds: z
      .number()
      .nullable()
      .meta({ description: 'The corrected time is right to this much either way; null where that is not known.' }),
    ZoneUnknown: z.boolean().meta({
      description:
        'The device wrote a local time without its zone; the station’s time zone is taken for it. `StartTimeUtc` of the evidence is null then.',
    }),
    LocalTime: z.string().optional().meta({
      description: 'ISO 8601 without a zone, as the device wrote it; there only where the device named no zone.',
    }),
  })
  .meta({ id: 'RecordedClock', description: 'When a recording began, by its device and by true time.' })
export type RecordedClockOut = z.output<typeof RecordedClock>

export const clockModel = (time: RecordedTime): RecordedClockOut => ({
  CorrectedTimeUtc: time.corrected,
  DeviceTimeUtc: time.recorded,
  Offset: time.offset,
  Source: time.source,
  UncertaintySeconds: time.uncertaintyMilliseconds === null ? null : time.uncertaintyMilliseconds / 1000,
  ZoneUnknown: time.zoneUnknown,
  ...(time.localTime === undefined ? {} : { LocalTime: time.localTime }),
})
