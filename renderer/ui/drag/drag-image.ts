import styles from './drag.module.css'

/** What hangs at the pointer while something is dragged: a few words instead of a picture of the row. */
export function setDragWords(transfer: DataTransfer, words: string): void {
  const image = document.createElement('div')
  image.className = styles['image'] ?? ''
  image.textContent = words
  document.body.append(image)
  transfer.setDragImage(image, 12, 12)
  // The browser has drawn it by then.
  setTimeout(() => image.remove())
}
