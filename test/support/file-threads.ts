import { readdirSync, readFileSync } from 'node:fs'

/** Threads of a process by the name that libuv gives its own; where the kernel does not tell, none. */
export function fileThreadsOf(pid: number): number {
  const tasks = readdirSync(`/proc/${pid}/task`)
  return tasks.filter((task) => readFileSync(`/proc/${pid}/task/${task}/comm`, 'utf8').startsWith('libuv-worker'))
    .length
}
