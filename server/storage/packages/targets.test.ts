import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bytesBelow } from './targets.ts'

test('what an interrupted run left counts as written, what a link in its place leads to does not', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'sallyport-targets-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const left = path.join(root, 'left.unfinished')
  mkdirSync(path.join(left, 'data'), { recursive: true })
  writeFileSync(path.join(left, 'data', 'one'), Buffer.alloc(300))
  symlinkSync('/etc/passwd', path.join(left, 'data', 'two'))
  symlinkSync(left, path.join(root, 'link.unfinished'))
  expect(await bytesBelow(left)).toBe(300)
  expect(await bytesBelow(path.join(root, 'link.unfinished'))).toBe(0)
  expect(await bytesBelow(path.join(root, 'nothing.unfinished'))).toBe(0)
})
