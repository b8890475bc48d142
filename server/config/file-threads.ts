/**
 * How many reads and writes of files wait in the kernel at the same time, in the whole process. Node has four threads for them: with four,
 * two cameras on slow cables would be all that is read at once, however many stand in their bays. Node makes the threads when the first
 * is needed, so that this is asked for before anything else is done.
 */
const FILE_THREADS = 40
const USUAL = 4

/** What whoever starts the station says counts. */
export function askForFileThreads(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(FILE_THREADS)
}

export function fileThreads(): number {
  const said = Number(process.env['UV_THREADPOOL_SIZE'])
  return Number.isInteger(said) && said > 0 ? said : USUAL
}
