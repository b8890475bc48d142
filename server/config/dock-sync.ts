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
    /** What becomes of a file once the station has it: it stays, it is removed, or it is put aside in `.taken` of the same folder. */
    after: z.enum(['keep', 'clear', 'move']).default('keep'),
    /** A file that nobody wrote to for so long is whole. */
    stillSeconds: z.number().int().min(1).max(86_400).default(30),
    /** What recorded everything in it. */
    device: z
      .strictObject({
        serialNumber: Name,
        manufacturer: Name,
        model: Name.optional(),
        deviceType: Name.default('Recorder'),
      })
      .optional(),
    /** By the name that they sign in with: whose everything in it is. */
    officer: Name.optional(),
    /** Folders directly in it are called as their officers sign in. */
    officerFolders: z.boolean().default(false),
    /** By name, as are departments. */
    category: Name.optional(),
    department: Name.optional(),
  })
  .refine(
    ({ device, officer, officerFolders }) =>
      [device !== undefined, officer !== undefined, officerFolders].filter(Boolean).length <= 1,
    'says in more than one way whose its files are',
  )

const within = (one: string, other: string): boolean => one === other || one.startsWith(`${other}${sep}`)

/** The setting: JSON, or the list itself. */
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
