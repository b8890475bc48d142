import { lazy, Suspense, useState } from 'react'
import { Checkbox, Switch } from '../../renderer/ui/field/choice.tsx'
import { RadioGroup } from '../../renderer/ui/field/radio-group.tsx'
import { PasswordField, SearchField, TextArea, TextField } from '../../renderer/ui/field/field.tsx'
import { NumberField } from '../../renderer/ui/field/number-field.tsx'
import { ComboBox } from '../../renderer/ui/combobox/combobox.tsx'
import { Select } from '../../renderer/ui/select/select.tsx'
import { TagEntry } from '../../renderer/ui/tags/tag-entry.tsx'
import { withTags } from '../../renderer/ui/tags/tags.ts'
import { Skeleton } from '../../renderer/ui/skeleton/skeleton.tsx'
import { Section } from './section.tsx'
import styles from './parts.module.css'

const DateTimeField = lazy(() =>
  import('../../renderer/ui/date-time/date-time.tsx').then((m) => ({ default: m.DateTimeField })),
)
const DateTimeRange = lazy(() =>
  import('../../renderer/ui/date-time/date-time.tsx').then((m) => ({ default: m.DateTimeRange })),
)

const OFFICERS = [
  'Achterberg, J.',
  'Duval, C.',
  'Ferreira, A.',
  'Lindqvist, M.',
  'Marchetti, I.',
  'Nakamura, R.',
  'Okafor, D.',
  'Sørensen, K.',
].map((label, at) => ({ id: String(at), label, note: `BW-04${10 + at}` }))

export function Fields() {
  return (
    <div className={styles['columns']}>
      <div className={styles['column']}>
        <Texts />
        <Choices />
      </div>
      <div className={styles['column']}>
        <Lists />
        <Dates />
      </div>
    </div>
  )
}

function Texts() {
  const [text, setText] = useState('HQ/B/2026/0931')
  const [password, setPassword] = useState('')
  const [words, setWords] = useState('Rear window forced.')
  const [search, setSearch] = useState('Tanner')
  const [days, setDays] = useState(90)
  return (
    <Section title="Fields" note="rest, error, not now; hover and focus by hand">
      <div className={styles['form']}>
        <TextField
          label="Record number"
          value={text}
          onChange={setText}
          description="As the records office writes it."
          required
        />
        <TextField
          label="Ended"
          value="20 Nov 2026 02:35"
          onChange={() => undefined}
          suffix="CET"
          error="Before the start, 02:38"
        />
        <TextField label="Department" value="Response B" onChange={() => undefined} why="The case is closed." />
        <PasswordField label="Password" value={password} onChange={setPassword} autoComplete="current-password" />
        <SearchField label="Find in this list" value={search} onChange={setSearch} keys="F" />
        <NumberField label="Checked again every" value={days} onChange={setDays} min={1} max={3650} unit="days" />
        <TextArea label="Description" value={words} onChange={setWords} />
      </div>
    </Section>
  )
}

function Choices() {
  const [some, setSome] = useState<readonly boolean[]>([true, false])
  const [on, setOn] = useState(true)
  const [kept, setKept] = useState<'theirs' | 'mine'>('theirs')
  return (
    <Section title="Choices">
      <div className={styles['form']}>
        <div className={styles['stack']}>
          <Checkbox checked={some.every(Boolean)} some={some.some(Boolean)} onChange={(all) => setSome([all, all])}>
            Both cameras
          </Checkbox>
          <Checkbox checked={some[0] === true} onChange={(first) => setSome([first, some[1] === true])}>
            BW-0417
          </Checkbox>
          <Checkbox
            checked={some[1] === true}
            onChange={(second) => setSome([some[0] === true, second])}
            error="Not docked yet"
          >
            BW-0388
          </Checkbox>
          <Checkbox checked onChange={() => undefined} why="Set by the retention rule.">
            Protected
          </Checkbox>
        </div>
        <div className={styles['stack']}>
          <Switch on={on} onChange={setOn} description="J, K, L and the others act outside fields.">
            Single-letter keys
          </Switch>
          <Switch on={false} onChange={() => undefined} why="An administrator decides this.">
            LAN access
          </Switch>
        </div>
        <RadioGroup
          label="Description"
          value={kept}
          onChange={setKept}
          options={[
            { id: 'theirs', label: 'Rear window forced. One stopped at 02:47.', description: 'M. Lindqvist, 03:41' },
            { id: 'mine', label: 'Rear window forced at a terraced house.', description: 'Yours' },
          ]}
        />
      </div>
    </Section>
  )
}

function Lists() {
  const [type, setType] = useState<string | null>('video')
  const [officer, setOfficer] = useState<string | null>(null)
  const [tags, setTags] = useState<readonly string[]>([])
  const [tag, setTag] = useState('')
  return (
    <Section title="Select, combobox">
      <div className={styles['form']}>
        <Select
          label="Type"
          value={type}
          onChange={setType}
          options={[
            { id: 'video', label: 'Video', icon: 'video' },
            { id: 'picture', label: 'Picture', icon: 'picture' },
            { id: 'audio', label: 'Audio', icon: 'audio' },
            { id: 'document', label: 'Document', icon: 'document', why: 'None in this case' },
          ]}
        />
        <Select label="State" value={null} onChange={() => undefined} options={[]} error="Choose one" />
        <ComboBox
          label="Officer"
          options={OFFICERS}
          value={officer}
          onChange={setOfficer}
          placeholder="Name or device"
        />
        <TagEntry
          label="Further tags"
          tags={tags}
          text={tag}
          onText={setTag}
          found={[
            { Tag: 'entry', Count: 12 },
            { Tag: 'night', Count: 3 },
          ]}
          loading={false}
          onAdd={(added) => setTags(withTags(tags, { add: added, remove: [] }))}
          description={`Set: ${tags.join(', ') || 'none'}`}
        />
        <ComboBox label="Case" options={[]} value={null} onChange={() => undefined} why="Link it once it is stored." />
      </div>
    </Section>
  )
}

function Dates() {
  const [at, setAt] = useState<string | null>('2026-11-20T01:47:31Z')
  const [range, setRange] = useState<{ readonly from: string | null; readonly to: string | null }>({
    from: '2026-11-19T05:00:00Z',
    to: null,
  })
  const before = range.from !== null && range.to !== null && range.to < range.from
  return (
    <Section title="Day and time" note="in the station's zone, here Europe/Paris">
      <Suspense fallback={<Skeleton />}>
        <div className={styles['form']}>
          <DateTimeField
            label="Recorded"
            value={at}
            onChange={setAt}
            zone="Europe/Paris"
            precision="second"
            description={at ?? 'none'}
          />
          <DateTimeRange
            label="Recorded between"
            value={range}
            onChange={setRange}
            zone="Europe/Paris"
            error={before ? 'Before the start' : undefined}
          />
          <DateTimeField label="Ended" value={at} onChange={setAt} zone="Europe/Paris" why="The case is closed." />
        </div>
      </Suspense>
    </Section>
  )
}
