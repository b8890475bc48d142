import { Suspense, useEffect, useState } from 'react'
import { caseForFiles, setCaseUnderFiles, useCaseForFiles, useDraggedEvidence } from '../../client/evidence-drag.ts'
import { lazyPart } from '../../client/load-chunk.ts'
import { useTranslation } from '../../client/translate.ts'
import { filesOfDrop } from '../../client/uploads/choose.ts'
import { uploads } from '../../client/uploads/uploads.ts'
import { visible } from '../../ui/format/visible.ts'
import styles from './drop-anywhere.module.css'
import { showPanel } from './panel.ts'

const CaseStrip = lazyPart(() => import('./case-strip.tsx'))

/** Evidence that is dragged finds cases to be let go on. */
export function EvidenceDropStrip() {
  const dragged = useDraggedEvidence()
  if (dragged === null) return null
  return (
    <Suspense fallback={null}>
      <CaseStrip dragged={dragged} />
    </Suspense>
  )
}

/** Files and folders dropped on any screen become evidence; over a case, or on its page, evidence in that case. */
export function DropAnywhere() {
  const { t } = useTranslation('frame')
  const [over, setOver] = useState(false)
  const target = useCaseForFiles()
  useEffect(() => {
    let depth = 0
    const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
    const enter = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const move = (event: DragEvent): void => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy'
    }
    const drop = (event: DragEvent): void => {
      if (!holdsFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      depth = 0
      setOver(false)
      const into = caseForFiles()?.caseId ?? null
      setCaseUnderFiles(null)
      void filesOfDrop(event.dataTransfer).then(async (files) => {
        if (files.length === 0) return
        await uploads.add(files, into)
        showPanel('uploads')
      })
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', move)
    window.addEventListener('drop', drop)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', move)
      window.removeEventListener('drop', drop)
    }
  }, [])
  if (!over) return null
  return (
    <div className={styles['over']}>
      <div className={styles['said']}>
        <p className={styles['words']}>
          {target === null ? t('dropHere') : t('dropHereCase', { title: visible(target.title) })}
        </p>
        <p>{t('dropHereMore')}</p>
      </div>
    </div>
  )
}
