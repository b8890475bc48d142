import { setPriority } from 'node:os'

/**
 * Between the ordinary 0 and the 10 of media programs. On a busy machine a thread that answers requests gets three times the processor time
 * of one with this priority.
 */
export const GIVES_WAY = 5

/**
 * Lowers the priority of the calling thread. Only Linux has a priority for each thread (setpriority(2), "C library/kernel differences");
 * elsewhere this would slow the whole process, so nothing is done there. New threads inherit the priority, so the shared file threads of the
 * process must have been started before.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(GIVES_WAY)
  } catch {
    // The system refused; the work is done with the ordinary priority.
  }
}
