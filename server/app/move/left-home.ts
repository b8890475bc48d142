/** Why a station takes no writes where it is: it moved away, or its blobs lie somewhere else. */
import type { Tx } from '../../kernel/database/database.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { blobsIn, isArriving, movedMark, type MovedMark } from './home.store.ts'
import { blobsName, placeOf } from './places.ts'

/** The database is filled by a move that has not ended. */
export class MoveUnfinished extends Error {
  override readonly name = 'MoveUnfinished'
  readonly code = 'MoveUnfinished'
  constructor(what: string) {
    super(
      `${what} is the new place of a station whose move has not ended. Run "move" again at the old one, with the same addresses.`,
    )
  }
}

export const movedSentence = ({ database, blobs, timeUtc }: MovedMark): string =>
  `This station moved on ${timeUtc} to the database ${database} and the blobs ${blobs}. Start it there; what is here can be read and stays as it was.`

/** @throws MoveUnfinished */
export async function whyLeft(from: Tx, settings: Kernel['settings']): Promise<string | null> {
  if (await isArriving(from)) throw new MoveUnfinished('The database')
  const moved = await movedMark(from)
  if (moved !== null) return movedSentence(moved)
  const blobs = await blobsIn(from)
  const here = blobsName(placeOf(settings).blobUrl)
  if (blobs === null || blobs === here) return null
  return `The blobs of this station were moved to ${blobs}, and it was started with those of ${here}. Correct SALLYPORT_BLOB_URL and start it again.`
}
