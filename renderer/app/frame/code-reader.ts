/** Reads a code in a photograph with what the browser brings: Chromium on Android and on macOS can, others cannot. */

interface Detector {
  detect(image: ImageBitmap): Promise<readonly { readonly rawValue: string }[]>
}

interface ReadingWindow {
  readonly BarcodeDetector?: new (options: { formats: readonly string[] }) => Detector
}

const detectorOf = (): ReadingWindow['BarcodeDetector'] => (window as ReadingWindow).BarcodeDetector

export const canReadCodes = (): boolean => detectorOf() !== undefined

/** @returns what the first code says; null where there is none. @throws when the file is no picture */
export async function codeIn(file: File): Promise<string | null> {
  const Detector = detectorOf()
  if (Detector === undefined) return null
  const image = await createImageBitmap(file)
  try {
    const [code] = await new Detector({ formats: ['qr_code'] }).detect(image)
    return code?.rawValue ?? null
  } finally {
    image.close()
  }
}
