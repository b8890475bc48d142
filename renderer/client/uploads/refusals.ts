/** Why a file does not go on its way. */

/** The file under this name is not the one that was begun; its bytes must not be mixed with those that are safe. */
export class OtherFile extends Error {}
/** The file cannot be read any more: card pulled, share gone, file removed. */
export class FileGone extends Error {}
/** What the station answered, in words of its own where it gave any. */
export class UploadRefused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
