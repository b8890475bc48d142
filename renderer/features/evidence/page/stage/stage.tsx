import { useJobReasons } from '../../../../client/job-reasons.ts'
import { Suspense } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import { useJobs } from '../../../../client/jobs.ts'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { type Addresses, type Evidence, type Media, type Resource, useMedia } from '../queries.ts'
import { isOriginal, originalOf, roleOf, shownFor } from '../kinds.ts'
import { Player } from '../player/player.tsx'
import { clockOf, clockOfPicture, type ClockSource } from '../player/recorded.ts'
import type { ChangeView, ViewState } from '../search-state.ts'
import { titleOf } from '../resources/resource-line.tsx'
import { withWhatWasMade } from '../status.ts'
import { useStatus } from '../use-status.ts'
import { Card, WorkCard } from './cards.tsx'
import { Problem } from './problem.tsx'
import styles from './stage.module.css'
import { TakenFrom } from './taken-from.tsx'
import { failureOfShowing, makingWords, workForShowing, workOf } from './work.ts'
import { lazyPart } from '../../../../client/load-chunk.ts'

// Most evidence is video and sound: what shows other kinds is fetched with the first of them.
const Compare = lazyPart(() =>
  import('../picture/compare/compare.tsx').then(({ Compare: View }) => ({ default: View })),
)
const ExifStage = lazyPart(() => import('../picture/exif.tsx').then(({ ExifStage: View }) => ({ default: View })))
const PdfView = lazyPart(() => import('../pdf/pdf-view.tsx'))
const Picture = lazyPart(() => import('../picture/picture.tsx').then(({ Picture: View }) => ({ default: View })))
const TextView = lazyPart(() => import('../text/text-view.tsx').then(({ TextView: View }) => ({ default: View })))

export interface StageProps {
  readonly evidence: Evidence
  readonly resources: readonly Resource[]
  readonly chosen: Resource
  readonly addresses: Addresses
  readonly view: ViewState
  readonly change: ChangeView
  readonly onOpen: (resourceId: string) => void
}

/** The work of the page: a player, a viewer, or an honest card. It changes by itself when what it waits for is there. */
export function Stage(props: StageProps) {
  const { chosen, resources, evidence, change } = props
  const shown = shownFor(chosen, resources)
  const { data: media, error, refetch } = useMedia(evidence.EvidenceId, shown.ResourceId)
  if (error !== null && media === undefined)
    return (
      <div className={styles['stage']}>
        <div className={styles['problem']}>
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      </div>
    )
  const waiting = (
    <div className={styles['stage']}>
      <Skeleton lines={5} />
    </div>
  )
  if (media === undefined) return waiting
  return (
    <Suspense fallback={waiting}>
      <Shown key={shown.ResourceId} {...props} shown={shown} media={media} />
      <TakenFrom resource={shown} resources={resources} change={change} />
    </Suspense>
  )
}

interface ShownProps extends StageProps {
  readonly shown: Resource
  readonly media: Media
}

function Shown(props: ShownProps) {
  const { evidence, resources, shown, media, addresses, view, change, onOpen } = props
  const mayDownload = evidence.AccessorPermissions.includes('Download')
  const download = mayDownload ? addresses.download(shown.ResourceId) : null
  const role = roleOf(shown)
  const original = originalOf(shown, resources)
  const clock = clockFor(evidence, role === 'still' || role === 'crop' ? shown : original, resources)
  if (role === 'metadata') return <ExifStage resource={shown} address={addresses.play(shown.ResourceId)} />
  if ((media.Kind === 'video' || media.Kind === 'audio') && media.PlayableResourceId !== null)
    return (
      <Player
        evidence={evidence}
        original={shown}
        markedOn={originalOf(shown, resources).ResourceId}
        media={media}
        address={addresses.play(media.PlayableResourceId)}
        download={download}
        clock={clock}
        view={view}
        change={change}
        onOpen={onOpen}
      />
    )
  if (media.Kind === 'image') {
    const made = !isOriginal(shown) ? shown.ResourceId : media.PreviewResourceId
    const others = picturesIn(resources).filter(({ ResourceId }) => ResourceId !== shown.ResourceId)
    if (made !== null && view.compare !== null) return <Compared {...props} shownBy={made} />
    if (made !== null)
      return (
        <Picture
          evidenceId={evidence.EvidenceId}
          onCropped={evidence.AccessorPermissions.includes('Edit') ? onOpen : null}
          onCompare={others.length === 0 ? null : () => change({ compare: others[0]?.ResourceId ?? null }, true)}
          resource={shown}
          media={media}
          address={addresses.play(made)}
          whole={made === shown.ResourceId ? null : download}
          exif={media.ExifResourceId === null ? null : addresses.play(media.ExifResourceId)}
          clock={isOriginal(shown) ? clockOfPicture(clock, media.Clock) : clock}
        />
      )
  }
  return <NotPlayed {...props} download={download} />
}

/** What can be compared: pictures that can be shown, stills and crops. */
function picturesIn(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter((one) => {
    const role = roleOf(one)
    if (role === 'still' || role === 'crop') return true
    return isOriginal(one) && previewOf(one, resources) !== null
  })
}

const previewOf = ({ ResourceId }: Resource, resources: readonly Resource[]): string | null =>
  resources.find((one) => one.Parent === ResourceId && roleOf(one) === 'preview')?.ResourceId ?? null

function Compared(props: ShownProps & { readonly shownBy: string }) {
  const { evidence, resources, shown, shownBy, addresses, view, change } = props
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const comparable = (one: Resource) => ({
    id: one.ResourceId,
    title: titleOf(one, evidence, t, format),
    address: addresses.play(isOriginal(one) ? (previewOf(one, resources) ?? one.ResourceId) : one.ResourceId),
    thumbnail: one.Thumbnail,
  })
  const all = picturesIn(resources).map(comparable)
  const first = { ...comparable(shown), address: addresses.play(shownBy) }
  const second = all.find(({ id }) => id === view.compare && id !== first.id) ?? null
  return (
    <Compare
      first={first}
      second={second}
      all={all}
      onSecond={(compare) => change({ compare })}
      onSwap={() => second !== null && change({ resource: second.id, compare: first.id })}
      onClose={() => change({ compare: null })}
    />
  )
}

/** A still carries the time of its frame; it is no recording that goes on. */
function clockFor(evidence: Evidence, resource: Resource, resources: readonly Resource[]): ClockSource {
  return clockOf(evidence, resource, resources.filter(isOriginal).length === 1 && isOriginal(resource))
}

function NotPlayed(props: ShownProps & { readonly download: string | null }) {
  const { evidence, resources, shown, media, download, addresses } = props
  const { t } = useTranslation('evidencePage')
  const say = useJobReasons()
  const jobs = useJobs()
  const status = useStatus(evidence, withWhatWasMade(shown, resources))
  const card = {
    resource: shown,
    status,
    download: shown.State === 'UserCompleted' ? download : null,
    thumbnail: shown.Thumbnail ?? undefined,
  }
  if (shown.State === 'None')
    return (
      <Card {...card} title={t('cardOpen')}>
        <p>{t('cardOpenDo')}</p>
      </Card>
    )
  if (shown.State === 'Failed')
    return (
      <Card {...card} title={t('cardRefused')}>
        <p>{t('cardRefusedDo')}</p>
      </Card>
    )
  const work = workOf(shown, jobs)
  const making = workForShowing(work)
  if (making !== null) return <WorkCard {...card} work={making} />
  const failed = failureOfShowing(work)
  if (failed !== null)
    return (
      <Card {...card} title={t('cardFailed', { making: makingWords(failed.kind, t) })}>
        {failed.message !== '' && <p>{say(failed.message)}</p>}
        <p>{t(download === null ? 'cardWhole' : 'cardWholeDownload')}</p>
      </Card>
    )
  if (media.Kind === 'document' && download !== null)
    return <PdfView resource={shown} status={status} address={addresses.download(shown.ResourceId)} />
  if (media.Kind === 'text' && download !== null)
    return <TextView resource={shown} address={addresses.download(shown.ResourceId)} />
  return (
    <Card {...card} title={t('cardNotShown')}>
      <p>{t(download === null ? 'cardNotShownRight' : 'cardNotShownDo', { type: media.MimeType })}</p>
    </Card>
  )
}
