import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from '../../../../client/translate.ts'
import type { z } from 'zod'
import * as contract from '../../../../../shared/dispatch/cad.contract.ts'
import type { FieldTarget } from '../../../../../shared/dispatch/cad-mapping.ts'
import { call } from '../../../../client/api.ts'
import { useSession } from '../../../../client/session.tsx'
import { ConfirmDialog } from '../../../../ui/dialog/dialog.tsx'
import { Checkbox } from '../../../../ui/field/choice.tsx'
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx'
import { toasts } from '../../../../ui/toast/toast.tsx'
import { ConflictDialog, type FieldWords } from '../../editing/conflict-dialog.tsx'
import { Restored, SaveFoot } from '../../editing/save-foot.tsx'
import { type Editing, useDraft } from '../../editing/use-draft.ts'
import { useSave } from '../../editing/use-save.ts'
import { Problem } from '../../problem.tsx'
import { usePlace } from '../../search-state.ts'
import cad from '../../dispatch/cad.module.css'
import { useMapping, useMessage, useNewest, useOverview, usePreview, useRefreshCad } from '../../dispatch/queries.ts'
import { type CadWords, fieldWords } from '../labels.ts'
import { type MappingDraft, mappingDraft, mappingOf, placesIn, wrongIn } from '../../dispatch/mapping/draft.ts'
import { History } from '../../dispatch/mapping/history.tsx'
import { LineList } from '../../dispatch/mapping/line-list.tsx'
import styles from '../../dispatch/mapping/mapping.module.css'
import { PartList, partWords } from '../../dispatch/mapping/part-list.tsx'
import { lostIn, Preview } from '../../dispatch/mapping/preview.tsx'

type Stored = z.output<(typeof contract.getMapping)['responses'][200]>

/** How messages are read: changed here, and tried on real ones before it is saved. */
export default function Reading() {
  const { data, error, refetch } = useMapping()
  if (data !== undefined) return <Editor stored={data} />
  return (
    <div className={cad['scroll']}>
      {error === null ? <Skeleton lines={8} /> : <Problem error={error} onRetry={() => void refetch()} />}
    </div>
  )
}

function Editor({ stored }: { readonly stored: Stored }) {
  const { t } = useTranslation('cad')
  const editing = useDraft('cad-mapping', stored, mappingDraft)
  const { draft, set, base, begin, changed } = editing
  const [tried, setTried] = useState(false)
  const [losing, setLosing] = useState(false)
  const saving = useMappingSave(editing)
  const wrong = wrongIn(draft)
  const trial = useTrial(draft, wrong.size > 0)
  const { theirs } = saving
  const lost = changed && trial.previews !== undefined ? lostIn(trial.previews) : 0
  const save = (): void => {
    setLosing(false)
    saving.run(draft, base)
  }
  const places = trial.places ?? []
  const shown = tried
    ? wrong
    : new Map([...wrong].filter(([, one]) => one === 'pathWrong' || one === 'nameWrong' || one === 'nameTwice'))
  return (
    <form
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (saving.busy || !changed || wrong.size > 0) return
        if (lost > 0) setLosing(true)
        else save()
      }}
    >
      <div className={styles['work']}>
        <div className={styles['edit']} data-region>
          {editing.restored && <Restored onDrop={() => begin(stored)} />}
          <section className={styles['section']} aria-labelledby="cad-parts">
            <h2 id="cad-parts" className={styles['title']}>
              {t('parts')}
            </h2>
            <p className="small muted">{t('partsHow')}</p>
            <PartList members={draft.members} onChange={(members) => set({ members })} places={places} wrong={shown} />
          </section>
          <section className={styles['section']} aria-labelledby="cad-lines">
            <h2 id="cad-lines" className={styles['title']}>
              {t('fieldsTitle')}
            </h2>
            <p className="small muted">{t('fieldsHow')}</p>
            <LineList fields={draft.fields} onChange={(fields) => set({ fields })} places={places} wrong={shown} />
            <Checkbox checked={draft.keepExtended} onChange={(keepExtended) => set({ keepExtended })}>
              {t('keepExtended')}
            </Checkbox>
            <p className="small muted">{t('keepExtendedHow')}</p>
          </section>
          <section className={styles['section']} aria-labelledby="cad-access">
            <h2 id="cad-access" className={styles['title']}>
              {t('accessTitle')}
            </h2>
            <Checkbox checked={draft.assignedMayView} onChange={(assignedMayView) => set({ assignedMayView })}>
              {t('assignedMayView')}
            </Checkbox>
            <p className="small muted">{t('assignedMayViewHow')}</p>
          </section>
          <History
            now={stored.concurrencyId}
            onTake={(mapping) => {
              set(mappingDraft(mapping))
              toasts.show({ text: t('historyTaken') })
            }}
          />
        </div>
        <Preview
          newest={trial.newest}
          chosen={trial.chosen}
          onChoose={trial.choose}
          previews={trial.previews}
          error={trial.error}
          onRetry={trial.retry}
          broken={wrong.size > 0}
          places={trial.places}
        />
      </div>
      <footer className={styles['foot']}>
        <div className={styles['said']} aria-live="polite">
          {tried && wrong.size > 0 && <span>{t('broken', { count: wrong.size })}</span>}
          {saving.error !== null && <Problem error={saving.error} title={t('notSaved')} />}
        </div>
        <SaveFoot
          save={t('save')}
          busy={saving.busy && theirs === null}
          why={changed ? undefined : t('nothingChanged')}
          onDrop={changed ? () => begin(stored) : undefined}
        />
      </footer>
      {losing && (
        <ConfirmDialog
          title={t('loseTitle', { count: lost })}
          confirm={t('loseSave')}
          onConfirm={save}
          onClose={() => setLosing(false)}
        >
          <p>{t('loseBody')}</p>
        </ConfirmDialog>
      )}
      {theirs !== null && (
        <ConflictDialog
          key={theirs.concurrencyId}
          was={mappingDraft(base)}
          theirs={mappingDraft(theirs)}
          yours={draft}
          fields={wordsOf(t)}
          by={theirs.modifiedBy === null ? null : { Name: theirs.modifiedBy.name }}
          at={theirs.modifiedUtc}
          busy={saving.busy}
          onSave={(chosen) => saving.run(chosen, theirs)}
          onClose={saving.dismiss}
        />
      )}
    </form>
  )
}

const TYPING_PAUSE = 500

/** Tries what is typed on the newest messages, once the typing pauses. */
function useTrial(draft: MappingDraft, broken: boolean) {
  const { search } = usePlace()
  const newest = useNewest().data ?? []
  const [picked, setPicked] = useState<string | null>(null)
  const asked = picked ?? search.q
  const chosen = newest.find(({ messageId }) => messageId === asked)?.messageId ?? newest[0]?.messageId ?? null
  const text = JSON.stringify(mappingOf(draft))
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    if (broken || text === settled) return
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, settled, broken])
  const proposed = useMemo(() => JSON.parse(settled) as ReturnType<typeof mappingOf>, [settled])
  const { data, error, refetch } = usePreview(
    proposed,
    newest.map(({ messageId }) => messageId),
  )
  return {
    newest,
    chosen,
    choose: setPicked,
    previews: data,
    error,
    retry: () => void refetch(),
    places: usePlaces(chosen),
  }
}

function usePlaces(messageId: string | null) {
  const [message] = useMessage(messageId).pages ?? []
  const body = message?.body
  return useMemo(() => (body === undefined ? undefined : placesIn(body)), [body])
}

function useMappingSave(editing: Editing<Stored, MappingDraft>) {
  const { t } = useTranslation('cad')
  const { tenant } = useSession()
  const refresh = useRefreshCad()
  const waiting = useOverview().data?.waiting.unreadable ?? 0
  const params = { tenantId: tenant }
  return useSave<Stored, MappingDraft>({
    save: async (typed, onto) => {
      const body = { ...mappingOf(typed), concurrencyId: onto.concurrencyId }
      editing.begin(await call(contract.putMapping, { params, body }))
      refresh()
      toasts.show({ text: waiting === 0 ? t('saved') : t('savedWaiting', { count: waiting }) })
    },
    load: () => call(contract.getMapping, { params }),
  })
}

const wordsOf = (t: CadWords): FieldWords<MappingDraft> => ({
  members: {
    label: t('parts'),
    words: (members) =>
      members
        .flatMap(({ member, paths }) => {
          const said = paths.map(({ path }) => path).filter((path) => path !== '')
          return said.length === 0 ? [] : [`${partWords(member, t)}: ${said.join(' / ')}`]
        })
        .join('\n') || t('nothing'),
  },
  fields: {
    label: t('fieldsTitle'),
    words: (fields) =>
      fields
        .map(
          ({ from, to, name }) => `${from}: ${to === 'CustomField' ? name : fieldWords(to satisfies FieldTarget, t)}`,
        )
        .join('\n') || t('nothing'),
  },
  keepExtended: { label: t('keepExtended'), words: (keep) => (keep ? '✓' : '–') },
  assignedMayView: { label: t('assignedMayView'), words: (may) => (may ? '✓' : '–') },
})
