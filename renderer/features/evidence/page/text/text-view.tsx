import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { refusalOf } from '../../../../client/api.ts'
import { useTranslation } from '../../../../client/translate.ts'
import { LinkButton } from '../../../../ui/button/button.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import type { Resource } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import stage from '../stage/stage.module.css'
import styles from './text-view.module.css'
import { decode, hiddenIn, pieces, visible, written } from './visible.ts'

const MOST = 2 * 1024 * 1024
/** Lines of one block: what is out of sight is not laid out. */
const BLOCK = 200
/** Characters of one block, for files without line ends. */
const BLOCK_CHARACTERS = 16_384
/** Each mark is an element of the page. */
const MOST_MARKED = 2_000

function useText({ Sha256, LengthInBytes }: Resource, address: string) {
  return useQuery({
    queryKey: ['text', Sha256],
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const length = LengthInBytes ?? 0
      if (length === 0) return { text: '', encoding: 'utf-8' as const, marked: false, cut: false }
      const answer = await fetch(address, {
        signal,
        credentials: 'same-origin',
        headers: length > MOST ? { Range: `bytes=0-${MOST - 1}` } : {},
      })
      if (!answer.ok) throw await refusalOf(answer)
      const bytes = new Uint8Array(await answer.arrayBuffer())
      return { ...decode(bytes, length > bytes.length), cut: length > bytes.length }
    },
  })
}

/** In blocks of whole lines. Pure. */
export function blocksOf(text: string): string[] {
  const lines = text.split('\n')
  const blocks: string[] = []
  let block: string[] = []
  let size = 0
  const close = (): void => {
    if (block.length > 0) blocks.push(block.join('\n'))
    block = []
    size = 0
  }
  for (const line of lines) {
    block.push(line)
    size += line.length
    if (block.length >= BLOCK || size >= BLOCK_CHARACTERS) close()
  }
  close()
  return blocks
}

const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
} as const

/** A file of text, to the letter. What cannot be seen is written out. */
export function TextView({ resource, address }: { readonly resource: Resource; readonly address: string }) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { data, error, refetch } = useText(resource, address)
  const blocks = useMemo(() => blocksOf(data?.text ?? ''), [data])
  const many = useMemo(() => hiddenIn(data?.text ?? '') > MOST_MARKED, [data])
  if (error !== null)
    return (
      <div className={stage['stage']}>
        <div className={stage['problem']}>
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      </div>
    )
  return (
    <section className={styles['viewer']} aria-label={t('textOf', { name: visible(resource.Name) })}>
      <div
        className={styles['text']}
        tabIndex={0}
        role="document"
        aria-label={t('textOf', { name: visible(resource.Name) })}
      >
        {data === undefined ? (
          <Skeleton lines={8} />
        ) : (
          blocks.map((block, index) => <Block key={index} text={block} many={many} />)
        )}
        {data?.text === '' && <p className={styles['empty']}>{t('textEmpty')}</p>}
      </div>
      <div className={styles['foot']}>
        {data !== undefined && (
          <span>
            {t(data.marked ? 'textMarked' : data.encoding === 'utf-8' ? 'textUtf8' : 'textGuessed', {
              encoding: ENCODINGS[data.encoding],
            })}
            {' · '}
            {t('textHidden')}
          </span>
        )}
        {data?.cut === true && (
          <span className={styles['cut']}>
            {t('textCut', { shown: format.bytes(MOST), whole: format.bytes(resource.LengthInBytes ?? 0) })}{' '}
            <LinkButton href={address} size="small" icon="download" download>
              {t('downloadOriginal')}
            </LinkButton>
          </span>
        )}
      </div>
    </section>
  )
}

/** @param many they are written into the text instead of being marked in it */
function Block({ text, many }: { readonly text: string; readonly many: boolean }) {
  const { t } = useTranslation('evidencePage')
  return (
    <pre className={styles['block']} dir="ltr">
      {(many ? [{ text: written(text), hidden: false }] : pieces(text)).map((piece, index) =>
        piece.hidden ? (
          <span key={index} className={styles['hidden']} title={t('textHiddenOne')}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
      {'\n'}
    </pre>
  )
}
