import type { z } from 'zod'
import * as contract from '../../../../shared/share-links/contract.ts'
import { addressOf } from '../../../client/api.ts'
import { useTranslation } from '../../../client/translate.ts'
import { Button, LinkButton } from '../../../ui/button/button.tsx'
import { EmptyState } from '../../../ui/empty/empty.tsx'
import { useFormat } from '../../../ui/format/use-format.tsx'
import { visible } from '../../../ui/format/visible.ts'
import { Hash } from '../../../ui/hash/hash.tsx'
import { FactList } from '../../../ui/layout/fact-list.tsx'
import { Note } from '../../../ui/note/note.tsx'
import styles from './guest.module.css'

type Link = z.output<(typeof contract.getGuestLink)['responses'][200]>
type Item = Link['Items'][number]

/** What the link holds: who gives it to whom and until when, then each file. */
export function Held({ link, onClose }: { readonly link: Link; readonly onClose: () => void }) {
  const { t } = useTranslation('guestLink')
  const format = useFormat()
  const { Recipient, Items, Withheld } = link
  const recipient = [Recipient.Name, Recipient.Organisation].filter((one) => one !== '').map(visible)
  return (
    <>
      <header className={styles['head']}>
        <h1 className={styles['title']}>{t('title')}</h1>
        <p>
          {t('holds', { count: Items.length, shown: format.count(Items.length) })}.{' '}
          {t(link.Mode === 'view' ? 'viewOnly' : 'download')}
        </p>
        <FactList>
          <Fact name={t('givenBy')}>{visible(link.GivenBy)}</Fact>
          <Fact name={t('station')}>{visible(link.Station)}</Fact>
          <Fact name={t('forWhom')}>{recipient.join(', ')}</Fact>
          <Fact name={t('until')}>{format.instant(link.ExpiresTimeUtc, { precision: 'minute' })}</Fact>
          <Fact name={t('number')}>{link.Number}</Fact>
        </FactList>
        <Note title={t('recorded')} />
        <Button onPress={onClose}>{t('done')}</Button>
      </header>
      {Items.length === 0 ? (
        <EmptyState title={t('nothing')}>{t('nothingBody')}</EmptyState>
      ) : (
        <ul className={styles['items']}>
          {Items.map((item) => (
            <li key={item.No} className={styles['item']}>
              <Shown item={item} />
            </li>
          ))}
        </ul>
      )}
      {Withheld > 0 && Items.length > 0 && (
        <p className={styles['second']}>{t('withheld', { count: Withheld, shown: format.count(Withheld) })}</p>
      )}
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </>
  )
}

function Shown({ item }: { readonly item: Item }) {
  const { t } = useTranslation('guestLink')
  const format = useFormat()
  const { No, Evidence, Name, Original } = item
  const params = { item: String(No) }
  return (
    <article aria-label={visible(Name)} className={styles['file']}>
      <h2 className={styles['name']}>
        <bdi>{visible(Evidence)}</bdi>
        <span className={styles['second']}>
          <bdi>{visible(Name)}</bdi>
        </span>
      </h2>
      <Copy item={item} />
      {Original !== null && (
        <div className={styles['original']}>
          <LinkButton icon="download" href={addressOf(contract.getGuestOriginal, { params })} download>
            {t('downloadOriginal')} ({format.bytes(Original.LengthInBytes)})
          </LinkButton>
          <span className={styles['hash']}>
            {t('sha256')} <Hash value={Original.Sha256} />
          </span>
        </div>
      )}
    </article>
  )
}

function Copy({ item: { No, Name, Shows, Copy: state, Progress } }: { readonly item: Item }) {
  const { t } = useTranslation('guestLink')
  const format = useFormat()
  const params = { item: String(No) }
  if (state === 'making')
    return (
      <p role="status" className={styles['waiting']}>
        {Progress === null ? t('making') : t('makingPart', { percent: format.percent(Progress) })}
      </p>
    )
  if (state === 'failed') return <p className={styles['waiting']}>{t('copyFailed')}</p>
  if (state === 'none') return <p className={styles['waiting']}>{t('noCopy')}</p>
  const copy = addressOf(contract.getGuestCopy, { params })
  if (Shows === 'picture') return <img src={copy} alt={visible(Name)} loading="lazy" className={styles['shown']} />
  return (
    <video
      controls
      playsInline
      preload="none"
      controlsList="nodownload"
      src={copy}
      poster={addressOf(contract.getGuestPoster, { params })}
      aria-label={t('play', { name: visible(Name) })}
      className={styles['shown']}
    >
      <track kind="captions" />
    </video>
  )
}
