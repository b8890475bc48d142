/**
 * What a page of the station may ask of the desktop program around it: `window.sallyport` there, absent in a browser. Every call takes
 * at most one plain value, is refused for any page but the station's own, and fails with an Error whose message is for a person.
 */
export interface DesktopBridge {
  /** Asks the person for files. Empty when they chose none. Nothing is read by choosing. */
  chooseFiles(options?: ChooseOptions): Promise<readonly Chosen[]>
  chooseFolders(): Promise<readonly Chosen[]>
  /** Files this program saved since it started, newest first. */
  saved(): Promise<readonly SavedFile[]>
  /** Shows a file of `saved()` in the system's file manager. */
  reveal(path: string): Promise<void>
  /** The system's print dialog for this page. */
  print(options?: PrintOptions): Promise<{ readonly printed: boolean }>
  /** A notification of the system; a click on it brings the window up. */
  notify(note: Note): Promise<void>
  /** The number on the program's icon; 0 takes it away. */
  badge(count: number): Promise<void>
  about(): Promise<About>
  /** Ends the program and the station in it; asks the person first while work runs. */
  quit(): Promise<void>
}

export interface ChooseOptions {
  readonly title?: string | undefined
  readonly multiple?: boolean | undefined
}

export interface Chosen {
  readonly path: string
  readonly name: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  readonly isDirectory: boolean
}

export interface SavedFile {
  readonly path: string
  readonly name: string
  /** Bytes. */
  readonly size: number
}

export interface PrintOptions {
  readonly landscape?: boolean | undefined
  /** Grounds and colours too. */
  readonly backgrounds?: boolean | undefined
  readonly paper?: 'A4' | 'Letter' | undefined
}

export interface Note {
  readonly title: string
  readonly body: string
}

export interface About {
  readonly name: string
  readonly version: string
  readonly electron: string
  readonly chromium: string
  readonly node: string
  /** As the system names itself: `linux`, `win32`, `darwin`. */
  readonly platform: string
  /** Where newer programs are looked for; null when they are not. */
  readonly updateFeed: string | null
}

export const CALLS = [
  'chooseFiles',
  'chooseFolders',
  'saved',
  'reveal',
  'print',
  'notify',
  'badge',
  'about',
  'quit',
] as const satisfies readonly (keyof DesktopBridge)[]
export type Call = (typeof CALLS)[number]

export const channelOf = (call: Call): string => `sallyport:${call}`

/** What travels back: a rejection would reach the page wrapped in words of Electron's own. */
export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string }

declare global {
  interface Window {
    readonly sallyport?: DesktopBridge
  }
}
