/** Files that a person chose or dropped, with the browser's handle to each where it gives one: that is what a restart goes on with. */
export interface ChosenFile {
  readonly file: File
  readonly handle: FileSystemFileHandle | null
}

interface PickingWindow {
  showOpenFilePicker?: (options: { multiple: boolean }) => Promise<FileSystemFileHandle[]>
}

/** @returns none when the person thought better of it. */
export async function chooseFiles(multiple = true): Promise<ChosenFile[]> {
  const picker = (window as PickingWindow).showOpenFilePicker
  if (picker === undefined) return chooseByInput(multiple)
  let handles: FileSystemFileHandle[]
  try {
    handles = await picker({ multiple })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return []
    // Refused by policy or not started by a click: the ordinary way.
    return chooseByInput(multiple)
  }
  return Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle })))
}

function chooseByInput(multiple: boolean): Promise<ChosenFile[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = multiple
    input.addEventListener('change', () => resolve([...(input.files ?? [])].map((file) => ({ file, handle: null }))))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}

interface HandedItem {
  getAsFileSystemHandle?: () => Promise<FileSystemHandle | null>
}

/** Folders are walked to their ends. Must be called while the drop is being handled: afterwards the browser forgets the items. */
export async function filesOfDrop(transfer: DataTransfer): Promise<ChosenFile[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file')
  const handed = items.map((item) => {
    const file = item.getAsFile()
    const handle = (item as HandedItem).getAsFileSystemHandle?.() ?? null
    return { file, handle }
  })
  const found: ChosenFile[] = []
  for (const { file, handle } of handed) {
    const opened = await (handle ?? Promise.resolve(null)).catch(() => null)
    if (opened?.kind === 'directory') await walk(opened as FileSystemDirectoryHandle, found)
    else if (file !== null) found.push({ file, handle: opened as FileSystemFileHandle | null })
  }
  return found
}

interface Walked {
  values(): AsyncIterableIterator<FileSystemHandle>
}

async function walk(folder: FileSystemDirectoryHandle, found: ChosenFile[]): Promise<void> {
  for await (const entry of (folder as unknown as Walked).values()) {
    if (entry.kind === 'directory') await walk(entry as FileSystemDirectoryHandle, found)
    else found.push({ file: await (entry as FileSystemFileHandle).getFile(), handle: entry as FileSystemFileHandle })
  }
}
