/** @throws Error when the file cannot be read, or is no JSON */
export async function connectionFileAt(file: string): Promise<unknown> {
  const { readText } = await import('../platform/files/read-text.ts')
  const text = await readText(file)
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`${file} is no connection file.`)
  }
}
