/** nginx with its WebDAV module on a free port of the loopback: what one PUT into a station is compared with (promise V4). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-ports.ts'

export interface Nginx {
  readonly url: string
  /** Where its files lie. */
  readonly folder: string
  stop(): Promise<void>
}

/** @returns why the comparison cannot be made, or null */
export function whyNoNginx(): string | null {
  const { status, stderr } = spawnSync('nginx', ['-V'], { encoding: 'utf8' })
  if (status !== 0) return 'nginx is not installed (Debian: apt-get install nginx-light)'
  return stderr.includes('http_dav_module') ? null : 'this nginx has no WebDAV module'
}

/** Starts nginx with all its files in `parent`. Bodies are renamed into place, since both folders are on one volume. */
export async function startNginx(parent: string): Promise<Nginx> {
  const home = join(parent, 'nginx')
  const folder = join(home, 'files')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = join(home, 'nginx.conf')
  writeFileSync(config, configuration(home, folder, port))
  const child = spawn('nginx', ['-c', config, '-e', 'stderr'], { stdio: ['ignore', 'inherit', 'inherit'] })
  const url = `http://127.0.0.1:${port}`
  await answering(url, child)
  return {
    url,
    folder,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function configuration(home: string, folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${home}/${name};`,
  )
  return `daemon off;
pid ${home}/pid;
error_log stderr crit;
${process.getuid?.() === 0 ? 'user root;' : ''}
events {}
http {
  access_log off;
  client_max_body_size 0;
  ${temporary.join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    location / { root ${folder}; dav_methods PUT DELETE; }
  }
}
`
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (const until = performance.now() + 10_000; performance.now() < until; await sleep(50)) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`)
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
  }
  child.kill('SIGKILL')
  throw new Error('nginx did not answer within 10 s')
}
