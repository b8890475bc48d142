/** Cards of cameras that no profile knows, or that have no recording at the moment: nothing is written onto them. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of a card, lower case: DCIM of CIPA DC-009 (DCF 2.0), AVCHD and MP_ROOT of camcorders, M4ROOT of XAVC S, XDROOT and BPAV of XDCAM. */
const ON_CARDS: ReadonlySet<string> = new Set(['dcim', 'avchd', 'mp_root', 'm4root', 'xdroot', 'bpav'])
/** The folder in which camcorders keep theirs. */
const PRIVATE = /^private$/i

/** Whether a volume looks like the card of a camera. One that cannot be read is nothing to write onto either. */
export async function looksLikeCard(root: string): Promise<boolean> {
  try {
    const names = await readdir(root)
    const inPrivate = await Promise.all(
      names.filter((name) => PRIVATE.test(name)).map((name) => readdir(join(root, name)).catch(noFolder)),
    )
    return [...names, ...inPrivate.flat()].some((name) => ON_CARDS.has(name.toLowerCase()))
  } catch {
    return true
  }
}

/** A file may be called so too. */
function noFolder(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOTDIR') return []
  throw error
}
