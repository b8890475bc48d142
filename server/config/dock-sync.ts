import { isAbsolute, normalize, sep } from 'node:path'
import { z } from 'zod'
import { jsonSetting } from './json-setting.ts'

const Name = z.string().trim().min(1).max(256)

const Folder = z
  .strictObject({
    folder: z
      .string()
      .min(1)
      .refine(isAbsolute, 'must be a whole path')
      .transform((path) => (path.length > 1 && path.endsWith(sep) ? normalize(path).slice(0, -1) : normalize(path))),
    /** What happens to a file after it was taken in: it stays, is removed, or is moved to `.taken` in the same folder. */
    after: z.enum(['keep', 'clear', 'move']).default('keep'),
    /** Seconds without a write after which a file counts as complete. */
    stillSeconds: z.number().int().min(1).max(86_400).default(30),
    /** The device that recorded all files in the folder. */
    device: z
      .strictObject({
        serialNumber: Name,
        manufacturer: Name,
        model: Name.optional(),
        deviceType: Name.default('Recorder'),
      })
      .optional(),
    /** The officer of all files in the folder, by sign-in name. */
    officer: Name.optional(),
    /** Whether its direct sub-folders have the sign-in names of their officers. */
    officerFolders: z.boolean().default(false),
    /** Names of category and department. */
    category: Name.optional(),
    department: Name.optional(),
  })
  .refine(
    ({ device, officer, officerFolders }) =>
      [device !== undefined, officer !== undefined, officerFolders].filter(Boolean).length <= 1,
    'names the owner of its files in more than one way',
  )

const within = (one: string, other: string): boolean => one === other || one.startsWith(`${other}${sep}`)

/** The setting, as JSON or as the list itself. */
export const DockSync = jsonSetting(
  z
    .array(Folder)
    .max(100)
    .refine(
      (folders) =>
        folders.every(({ folder: one }, at) =>
          folders.every(({ folder: other }, index) => at === index || !within(one, other)),
        ),
      'no folder may lie in another one of them',
    ),
)
export type SyncFolder = z.output<typeof Folder>
