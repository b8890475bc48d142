/**
 * Concurrent reads and writes of files in the whole process. With Node's default of four threads, only two cameras on slow cables could be
 * read at the same time. Node creates the threads at first use, so the number must be set before anything else.
 */
const FILE_THREADS = 40
const NODE_DEFAULT = 4

/** Sets the number of file threads, unless the environment sets it. */
export function setFileThreads(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= String(FILE_THREADS)
}

export function fileThreads(): number {
  const configured = Number(process.env['UV_THREADPOOL_SIZE'])
  return Number.isInteger(configured) && configured > 0 ? configured : NODE_DEFAULT
}
