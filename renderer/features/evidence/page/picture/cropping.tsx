import { useMutation } from '@tanstack/react-query'
import * as contract from '../../../../../shared/media/clips.contract.ts'
import { call, newKey } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { useTranslation } from '../../../../client/translate.ts'
import { Button } from '../../../../ui/button/button.tsx'
import { NumberField } from '../../../../ui/field/number-field.tsx'
import { useFormat } from '../../../../ui/format/use-format.tsx'
import { toasts } from '../../../../ui/toast/toast.tsx'
import { type Resource, useRefresh } from '../queries.ts'
import { Problem } from '../stage/problem.tsx'
import { type Area, withFigure } from './crop.ts'
import { onFrame } from './measure.ts'
import styles from './picture.module.css'
import type { PictureView, Size } from './use-view.ts'

interface RectangleProps {
  /** In pixels of the whole picture. */
  readonly area: Area
  /** How many of them one pixel of what is shown stands for. */
  readonly ratio: number
  readonly picture: Size
  readonly view: PictureView
  readonly scale: number
}

/** The rectangle that is kept; what lies outside it is dimmed. */
export function CropRectangle({ area, ratio, picture, view, scale }: RectangleProps) {
  const place = (x: number, y: number) => onFrame({ x: x / ratio, y: y / ratio }, view, scale, picture)
  const one = place(area.left, area.top)
  const other = place(area.left + area.width, area.top + area.height)
  const box = {
    x: Math.min(one.x, other.x),
    y: Math.min(one.y, other.y),
    width: Math.abs(other.x - one.x),
    height: Math.abs(other.y - one.y),
  }
  const far = 100_000
  const outside = `M${-far} ${-far}H${far}V${far}H${-far}ZM${box.x} ${box.y}v${box.height}h${box.width}v${-box.height}Z`
  return (
    <svg className={styles['measured']} aria-hidden="true" data-crop={JSON.stringify(area)}>
      <path d={outside} className={styles['outside']} fillRule="evenodd" />
      <rect {...box} className={styles['under']} />
      <rect {...box} className={styles['over']} />
    </svg>
  )
}

const SIDES = [
  ['left', 'cropLeft'],
  ['top', 'cropTop'],
  ['width', 'cropWidth'],
  ['height', 'cropHeight'],
] as const

interface CropBarProps {
  readonly resource: Resource
  readonly evidenceId: string
  readonly area: Area | null
  readonly whole: Size
  readonly onChange: (area: Area | null) => void
  readonly onSaved: (resourceId: string) => void
}

/** The figures of the rectangle, in pixels of the whole picture, and the one button that saves it as a copy. */
export function CropBar({ resource, evidenceId, area, whole, onChange, onSaved }: CropBarProps) {
  const { t } = useTranslation('evidencePage')
  const format = useFormat()
  const { tenant } = useSession()
  const refresh = useRefresh(evidenceId)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ left, top, width, height }: Area) =>
      call(contract.cropPicture, {
        params: { tenantName: tenant, evidenceId, resourceId: resource.ResourceId },
        body: { Left: left, Top: top, Width: width, Height: height },
        idempotencyKey: newKey(),
      }),
    onSuccess: ({ ResourceId, Taken }) => {
      refresh()
      onChange(null)
      toasts.show({
        text: t('cropSaved', {
          width: format.count(Taken?.Area?.Width ?? 0),
          height: format.count(Taken?.Area?.Height ?? 0),
        }),
        act: { label: t('clipOpen'), onAct: () => onSaved(ResourceId) },
      })
    },
  })
  const change = (next: Area | null): void => {
    reset()
    onChange(next)
  }
  return (
    <div className={styles['bar']} role="group" aria-label={t('crop')}>
      {area === null ? (
        <span role="status">{t('cropHow')}</span>
      ) : (
        <div className={styles['figures']}>
          {SIDES.map(([side, label]) => (
            <NumberField
              key={side}
              label={t(label)}
              value={area[side]}
              onChange={(value) => change(withFigure(area, side, value, whole))}
              min={side === 'width' || side === 'height' ? 1 : 0}
              max={side === 'left' || side === 'width' ? whole.width : whole.height}
              unit="px"
            />
          ))}
        </div>
      )}
      <Button
        kind="main"
        icon="crop"
        busy={isPending}
        why={area === null ? t('cropWait') : undefined}
        onPress={() => area !== null && mutate(area)}
      >
        {t('cropSave')}
      </Button>
      {area !== null && (
        <Button kind="quiet" onPress={() => change(null)}>
          {t('cropClear')}
        </Button>
      )}
      {error !== null && <Problem error={error} title={t('cropFailed')} />}
    </div>
  )
}
