/**
 * Draws the program's pictures from build/icons/*.svg: PNG by Chromium, ICO and ICNS written here (both hold the PNGs as they are).
 * What it makes is kept beside the drawings; run it again when a drawing changed.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const folder = fileURLToPath(new URL('../icons', import.meta.url))
const LINUX = [16, 24, 32, 48, 64, 128, 256, 512]
const WINDOWS = [16, 24, 32, 48, 64, 256]
/** Apple's names of the sizes, twice the density included. */
const MAC: Readonly<Record<string, number>> = {
  icp4: 16,
  icp5: 32,
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic13: 256,
  ic08: 256,
  ic14: 512,
  ic09: 512,
  ic10: 1024,
}

/** ICONDIR, one ICONDIRENTRY for each picture, the pictures. 256 is written as 0. */
export function icoOf(pictures: ReadonlyMap<number, Buffer>): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.size)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.size, 4)
  let offset = head.length
  for (const [index, [size, bytes]] of [...pictures].entries()) {
    const at = 6 + 16 * index
    head.writeUInt8(size % 256, at)
    head.writeUInt8(size % 256, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(bytes.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += bytes.length
  }
  return Buffer.concat([head, ...pictures.values()])
}

/** `icns`, whole length, then name, length and bytes of each picture; lengths count their own eight bytes. */
export function icnsOf(pictures: ReadonlyMap<string, Buffer>): Buffer {
  const part = (name: string, bytes: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.write(name, 'latin1')
    head.writeUInt32BE(bytes.length + 8, 4)
    return Buffer.concat([head, bytes])
  }
  return part('icns', Buffer.concat([...pictures].map(([name, bytes]) => part(name, bytes))))
}

async function draw(): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await browser.newPage()
    const picture = async (name: string, size: number): Promise<Buffer> => {
      const drawing = Buffer.from(readFileSync(join(folder, `${name}.svg`))).toString('base64')
      await page.setViewportSize({ width: size, height: size })
      await page.setContent(
        `<style>*{margin:0}</style><img width="${size}" height="${size}" src="data:image/svg+xml;base64,${drawing}">`,
      )
      await page.waitForFunction('document.images[0].complete')
      return page.screenshot({ omitBackground: true })
    }
    const write = (name: string, bytes: Buffer): void => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), bytes)
    }
    const icon = new Map<number, Buffer>()
    for (const size of new Set([...LINUX, ...WINDOWS, ...Object.values(MAC)]))
      icon.set(size, await picture('icon', size))
    const of = (size: number): Buffer => icon.get(size) as Buffer
    for (const size of LINUX) write(`linux/${size}x${size}.png`, of(size))
    write('icon.png', of(256))
    write('icon.ico', icoOf(new Map(WINDOWS.map((size) => [size, of(size)]))))
    write('icon.icns', icnsOf(new Map(Object.entries(MAC).map(([name, size]) => [name, of(size)]))))
    for (const [name, size] of [
      ['tray', 16],
      ['tray-attention', 16],
      ['trayTemplate', 16],
      ['trayAttentionTemplate', 16],
    ] as const) {
      write(`${name}.png`, await picture(name, size))
      write(`${name}@2x.png`, await picture(name, size * 2))
    }
  } finally {
    await browser.close()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await draw()
  process.stdout.write('The pictures were drawn into build/icons.\n')
}
