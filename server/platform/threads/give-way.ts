import { setPriority } from 'node:os'

/**
 * Between the ordinary 0 and the 10 of media programs: where there is not time enough for all, whoever answers people has three turns
 * for one of a thread that gave way.
 */
export const GIVES_WAY = 5

/**
 * The calling thread lets others of this process go first. Linux alone keeps this for each thread (setpriority(2), "C library/kernel
 * differences"); elsewhere it would slow the whole process, so that nothing is done there. Threads that it begins are as it is: the ones
 * that all share for files must have begun before.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(GIVES_WAY)
  } catch {
    // Somebody forbade it: the work is done all the same.
  }
}
