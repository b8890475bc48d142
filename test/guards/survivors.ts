import type { Survivor } from './survivor.ts'
import { ACCESS } from './survivors/access.ts'
import { CLEARING } from './survivors/clearing.ts'
import { DISPOSITION } from './survivors/disposition.ts'
import { EXPORT_GUARDS } from './survivors/export.ts'
import { LEDGER } from './survivors/ledger.ts'
import { PLACEMENT } from './survivors/placement.ts'
import { RESTORE } from './survivors/restore.ts'
import { SHARE_LINKS } from './survivors/share-links.ts'
import { SIGN_IN } from './survivors/sign-in.ts'
import { TOKENS } from './survivors/tokens.ts'
import { UPLOADS } from './survivors/uploads.ts'
import { VERIFICATION } from './survivors/verification.ts'
import { WITNESSES } from './survivors/witnesses.ts'

/** The guards of all areas that no test misses when they alone are out, with their reasons (S19). */
export const SURVIVORS: readonly Survivor[] = [
  ...ACCESS,
  ...CLEARING,
  ...DISPOSITION,
  ...EXPORT_GUARDS,
  ...LEDGER,
  ...PLACEMENT,
  ...RESTORE,
  ...SHARE_LINKS,
  ...SIGN_IN,
  ...TOKENS,
  ...UPLOADS,
  ...VERIFICATION,
  ...WITNESSES,
]
