/** Cameras as folders that a test fills file by file, with a manifest of its own. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Json } from '../support/given.ts'

export const iso = (millis: number): string => new Date(millis).toISOString()

export class Shelf {
  private readonly aside: string
  private readonly shown: string

  constructor(root: string, name: string) {
    this.aside = path.join(root, `.${name}`)
    this.shown = path.join(root, name)
    mkdirSync(this.aside, { recursive: true })
  }
  /** While it is not plugged in. @returns where it lies */
  file(name: string, bytes?: Uint8Array | string): string {
    const file = path.join(this.aside, name)
    mkdirSync(path.dirname(file), { recursive: true })
    if (bytes !== undefined) writeFileSync(file, bytes)
    return file
  }
  manifest(serial: string, recordings: readonly Json[], more: Json = {}): void {
    const camera = { manufacturer: 'Lantern', model: 'L2', serialNumber: serial }
    this.file('camera.json', JSON.stringify({ format: 'sallyport-camera/1', camera, recordings, ...more }))
  }
  get at(): string {
    return this.shown
  }
  plugIn(): void {
    renameSync(this.aside, this.shown)
  }
  pull(): void {
    renameSync(this.shown, this.aside)
  }
}
